#include "simulator/net/elimination.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "simulator/base/table.h"
#include "simulator/net/elimination_problem.h"

namespace pnsim {
namespace {

// Returns fa * a + fb * b; nothing on overflow of 64 bits.
std::optional<SparseRow> combination(const SparseRow& a, std::int64_t fa, const SparseRow& b,
                                     std::int64_t fb) {
  SparseRow out;
  out.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool take_a = i != a.end() && (j == b.end() || i->index <= j->index);
    const bool take_b = j != b.end() && (i == a.end() || j->index <= i->index);
    const std::uint32_t index = take_a ? i->index : j->index;
    std::int64_t from_a = 0, from_b = 0, sum = 0;
    if (take_a && __builtin_mul_overflow(fa, (i++)->weight, &from_a)) return std::nullopt;
    if (take_b && __builtin_mul_overflow(fb, (j++)->weight, &from_b)) return std::nullopt;
    if (__builtin_add_overflow(from_a, from_b, &sum)) return std::nullopt;
    if (sum == INT64_MIN) return std::nullopt;  // INT64_MIN has no absolute value
    if (sum != 0) out.push_back({index, sum});
  }
  return out;
}

std::int64_t weight_at(const SparseRow& row, std::uint32_t index) {
  const auto at =
      std::lower_bound(row.begin(), row.end(), index,
                       [](const IndexWeight& e, std::uint32_t i) { return e.index < i; });
  return at != row.end() && at->index == index ? at->weight : 0;
}

// An intermediate row: `rest` = made_of^T A.
struct Row {
  SparseRow rest;
  SparseRow made_of;
  bool alive = true;
};

class Elimination {
 public:
  Elimination(EliminationProblem problem, const EliminationLimits& limits)
      : limits_(limits),
        blocks_(std::move(problem.blocks)),
        origin_(std::move(problem.origin)),
        by_column_(problem.columns),
        positive_(problem.columns),
        negative_(problem.columns),
        by_source_(origin_.size()) {
    for (std::uint32_t r = 0; r < origin_.size(); ++r) {
      add({std::move(problem.rows[r]), {{r, 1}}});
    }
  }

  // Clears every column with `clear`; within a block the cheapest column comes first.
  template <class Cost, class Clear>
  RowCombinations run(Cost cost, Clear clear) {
    for (Columns& block : blocks_) {
      while (!block.empty() && stopped_.empty()) {
        const std::size_t best = cheapest(block, cost);
        const std::uint32_t column = std::exchange(block[best], block.back());
        block.pop_back();
        clear(*this, column);
      }
    }
    return result();
  }

  // Number of rows that clearing the column by pairs adds, minus the number that it removes.
  std::int64_t pair_growth(std::uint32_t c) const {
    return positive_[c] * negative_[c] - positive_[c] - negative_[c];
  }

  // Number of rows that clearing the column by a pivot rewrites, minus one.
  std::int64_t pivot_cost(std::uint32_t c) const { return positive_[c] + negative_[c] - 2; }

  void clear_by_pairs(std::uint32_t column);
  void clear_by_pivot(std::uint32_t column);

 private:
  // The position of the cheapest column, or of the first column with cost 0.
  template <class Cost>
  std::size_t cheapest(const Columns& block, Cost cost) {
    std::size_t best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::size_t i = 0;
    for (; i < block.size() && least > 0; ++i) {
      const std::int64_t here = cost(*this, block[i]);
      if (here >= least) continue;
      least = here;
      best = i;
    }
    spend(i / 4 + 1);
    return best;
  }

  void spend(std::size_t work) {
    work_ += work;
    if (work_ > limits_.max_work && stopped_.empty()) {
      stopped_ = "more than " + grouped(static_cast<long long>(limits_.max_work)) + " operations";
    }
  }

  void count_columns(const Row& row, std::int64_t change) {
    for (const IndexWeight& e : row.rest) {
      (e.weight > 0 ? positive_ : negative_)[e.index] += change;
    }
  }

  void add(Row row) {
    const auto id = static_cast<std::uint32_t>(rows_.size());
    count_columns(row, 1);
    for (const IndexWeight& e : row.rest) by_column_[e.index].push_back(id);
    for (const IndexWeight& e : row.made_of) by_source_[e.index].push_back(id);
    spend(4 * (row.rest.size() + row.made_of.size()));
    rows_.push_back(std::move(row));
    seen_.push_back({});
  }

  void remove(std::uint32_t id) {
    count_columns(rows_[id], -1);
    rows_[id] = {{}, {}, false};
  }

  void drop_dead(std::vector<std::uint32_t>& ids) {
    std::erase_if(ids, [&](std::uint32_t id) { return !rows_[id].alive; });
  }

  std::optional<Row> combined(const Row& a, std::int64_t fa, const Row& b, std::int64_t fb);
  bool spans_a_third(std::uint32_t a, std::uint32_t b);
  SparseRow solution(const Row& row) const;
  RowCombinations result() const;

  struct Seen {
    std::uint64_t round = 0;
    std::size_t count = 0;
  };

  EliminationLimits limits_;
  std::vector<Columns> blocks_;
  std::vector<std::uint32_t> origin_;  // [row of the problem] row of A
  std::vector<Row> rows_;
  std::vector<std::vector<std::uint32_t>> by_column_;  // [column] rows with an entry there
  std::vector<std::int64_t> positive_, negative_;      // [column] entries of rows not yet removed
  std::vector<std::vector<std::uint32_t>> by_source_;  // [row of the problem] rows made of it
  std::vector<Seen> seen_;                             // [row]
  std::uint64_t round_ = 0;
  std::uint64_t work_ = 0;
  std::string stopped_;
};

// Stops the run and returns nothing when a number overflows 64 bits.
std::optional<Row> Elimination::combined(const Row& a, std::int64_t fa, const Row& b,
                                         std::int64_t fb) {
  auto rest = combination(a.rest, fa, b.rest, fb);
  auto made_of = combination(a.made_of, fa, b.made_of, fb);
  if (!rest || !made_of) {
    if (stopped_.empty()) stopped_ = "numbers over 2^63";
    return std::nullopt;
  }
  std::int64_t divisor = 0;
  for (const IndexWeight& e : *made_of) divisor = std::gcd(divisor, e.weight);
  for (IndexWeight& e : *made_of) e.weight /= divisor;
  for (IndexWeight& e : *rest) e.weight /= divisor;
  return Row{std::move(*rest), std::move(*made_of)};
}

// True when the support of a third row lies in the union of the supports of a and b. Then a + b is
// not an extreme solution: the pair is not adjacent.
bool Elimination::spans_a_third(std::uint32_t a, std::uint32_t b) {
  ++round_;
  const auto found_in = [&](std::uint32_t source, const SparseRow* also_in) {
    if (also_in && weight_at(*also_in, source) != 0) return false;
    std::vector<std::uint32_t>& ids = by_source_[source];
    drop_dead(ids);
    spend(ids.size());
    return std::any_of(ids.begin(), ids.end(), [&](std::uint32_t id) {
      Seen& seen = seen_[id];
      if (seen.round != round_) seen = {round_, 0};
      return ++seen.count == rows_[id].made_of.size() && id != a && id != b;
    });
  };
  const SparseRow& of_a = rows_[a].made_of;
  const SparseRow& of_b = rows_[b].made_of;
  return std::any_of(of_a.begin(), of_a.end(),
                     [&](const IndexWeight& e) { return found_in(e.index, nullptr); }) ||
         std::any_of(of_b.begin(), of_b.end(),
                     [&](const IndexWeight& e) { return found_in(e.index, &of_a); });
}

void Elimination::clear_by_pairs(std::uint32_t column) {
  drop_dead(by_column_[column]);
  const std::vector<std::uint32_t> touched = by_column_[column];
  std::vector<Row> sums;
  for (const std::uint32_t plus : touched) {
    const std::int64_t up = weight_at(rows_[plus].rest, column);
    if (up < 0) continue;
    for (const std::uint32_t minus : touched) {
      const std::int64_t down = weight_at(rows_[minus].rest, column);
      if (down > 0 || !stopped_.empty() || spans_a_third(plus, minus)) continue;
      const std::int64_t divisor = std::gcd(up, down);
      auto sum = combined(rows_[plus], -down / divisor, rows_[minus], up / divisor);
      if (sum) sums.push_back(std::move(*sum));
    }
  }
  for (const std::uint32_t id : touched) remove(id);
  for (Row& sum : sums) add(std::move(sum));
}

void Elimination::clear_by_pivot(std::uint32_t column) {
  drop_dead(by_column_[column]);
  const std::vector<std::uint32_t> touched = by_column_[column];
  if (touched.empty()) return;
  const std::uint32_t pivot =
      *std::min_element(touched.begin(), touched.end(), [&](std::uint32_t a, std::uint32_t b) {
        return rows_[a].rest.size() + rows_[a].made_of.size() <
               rows_[b].rest.size() + rows_[b].made_of.size();
      });
  const Row pivot_row = rows_[pivot];
  const std::int64_t at_pivot = weight_at(pivot_row.rest, column);
  for (const std::uint32_t id : touched) {
    if (id == pivot || !stopped_.empty()) continue;
    const std::int64_t here = weight_at(rows_[id].rest, column);
    const std::int64_t divisor = std::gcd(here, at_pivot);
    auto row = combined(rows_[id], at_pivot / divisor, pivot_row, -here / divisor);
    remove(id);
    if (row) add(std::move(*row));
  }
  remove(pivot);
}

// Maps pieces back to rows of A: all pieces of a row have the same weight.
SparseRow Elimination::solution(const Row& row) const {
  SparseRow out;
  for (const IndexWeight& e : row.made_of) {
    const std::uint32_t index = origin_[e.index];
    if (out.empty() || out.back().index != index) out.push_back({index, e.weight});
  }
  if (out.front().weight < 0) {
    for (IndexWeight& e : out) e.weight = -e.weight;
  }
  return out;
}

RowCombinations Elimination::result() const {
  RowCombinations out;
  out.work = work_;
  out.stopped = stopped_;
  if (!stopped_.empty()) return out;
  for (const Row& row : rows_) {
    if (row.alive) out.solutions.push_back(solution(row));
  }
  std::sort(out.solutions.begin(), out.solutions.end(), [](const SparseRow& a, const SparseRow& b) {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const IndexWeight& e, const IndexWeight& f) { return e.index < f.index; });
  });
  return out;
}

}  // namespace

RowCombinations minimal_nonnegative_solutions(std::vector<SparseRow> a, std::uint32_t columns,
                                              const EliminationLimits& limits) {
  return Elimination(cut_into_blocks(std::move(a), columns), limits)
      .run([](const Elimination& e, std::uint32_t c) { return e.pair_growth(c); },
           [](Elimination& e, std::uint32_t c) { e.clear_by_pairs(c); });
}

RowCombinations solution_basis(std::vector<SparseRow> a, std::uint32_t columns,
                               const EliminationLimits& limits) {
  return Elimination(cut_into_blocks(std::move(a), columns), limits)
      .run([](const Elimination& e, std::uint32_t c) { return e.pivot_cost(c); },
           [](Elimination& e, std::uint32_t c) { e.clear_by_pivot(c); });
}

}  // namespace pnsim
