// Solutions of x^T A = 0 compared with brute force.
#include "simulator/net/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace pnsim {
namespace {

using Support = std::set<std::uint32_t>;
using Matrix = std::vector<SparseRow>;

Support support_of(const SparseRow& row) {
  Support out;
  for (const IndexWeight& e : row) out.insert(e.index);
  return out;
}

// x^T A by column.
std::vector<std::int64_t> product(const Matrix& a, std::uint32_t columns, const SparseRow& x) {
  std::vector<std::int64_t> out(columns);
  for (const IndexWeight& e : x) {
    for (const IndexWeight& entry : a[e.index]) out[entry.index] += e.weight * entry.weight;
  }
  return out;
}

bool is_solution(const Matrix& a, std::uint32_t columns, const SparseRow& x) {
  const auto result = product(a, columns, x);
  return std::all_of(result.begin(), result.end(), [](std::int64_t v) { return v == 0; });
}

bool includes(const Support& large, const Support& small) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

// Rank modulo a prime that is far above all entries in these tests.
std::size_t rank_of(const Matrix& rows, std::uint32_t columns) {
  constexpr std::int64_t kPrime = 1'000'003;
  std::vector<std::vector<std::int64_t>> m;
  for (const SparseRow& row : rows) {
    m.emplace_back(columns);
    for (const IndexWeight& e : row) m.back()[e.index] = (e.weight % kPrime + kPrime) % kPrime;
  }
  std::size_t rank = 0;
  for (std::uint32_t c = 0; c < columns && rank < m.size(); ++c) {
    const auto pivot = std::find_if(m.begin() + static_cast<std::ptrdiff_t>(rank), m.end(),
                                    [&](const auto& row) { return row[c] != 0; });
    if (pivot == m.end()) continue;
    std::swap(*pivot, m[rank]);
    for (std::size_t r = rank + 1; r < m.size(); ++r) {
      const std::int64_t here = m[r][c], there = m[rank][c];
      for (std::uint32_t k = 0; k < columns; ++k) {
        m[r][k] = ((m[r][k] * there - m[rank][k] * here) % kPrime + kPrime) % kPrime;
      }
    }
    ++rank;
  }
  return rank;
}

// All x in {0 ... max}^rows, x != 0.
void for_each_vector(std::size_t rows, std::int64_t max,
                     const std::function<void(const SparseRow&)>& visit) {
  std::vector<std::int64_t> x(rows);
  while (true) {
    std::size_t i = 0;
    while (i < rows && x[i] == max) x[i++] = 0;
    if (i == rows) return;
    ++x[i];
    SparseRow row;
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (x[r] != 0) row.push_back({r, x[r]});
    }
    visit(row);
  }
}

struct MatrixShape {
  std::size_t rows;
  std::uint32_t columns;
  std::uint32_t entries;  // maximum per row
  std::size_t long_rows;  // rows with an entry in every column
};

Matrix random_matrix(std::mt19937_64& random, const MatrixShape& shape) {
  Matrix a(shape.rows);
  for (std::size_t r = 0; r < shape.rows; ++r) {
    std::set<std::uint32_t> at;
    const auto entries = 1 + random() % shape.entries;
    for (std::size_t e = 0; e < entries; ++e) {
      at.insert(static_cast<std::uint32_t>(random() % shape.columns));
    }
    for (std::uint32_t c = 0; c < shape.columns; ++c) {
      const std::int64_t weights[] = {-2, -1, -1, 1, 1, 2};
      if (r < shape.long_rows || at.contains(c)) a[r].push_back({c, weights[random() % 6]});
    }
  }
  return a;
}

// Every listed x is a solution of minimal support, and every solution contains the support of a
// listed one.
std::size_t expect_minimal_and_complete(const Matrix& a, std::uint32_t columns, std::int64_t max) {
  const RowCombinations found = minimal_nonnegative_solutions(a, columns);
  EXPECT_EQ(found.stopped, "");
  std::vector<Support> supports;
  for (const SparseRow& x : found.solutions) {
    EXPECT_TRUE(is_solution(a, columns, x));
    std::int64_t divisor = 0;
    for (const IndexWeight& e : x) {
      EXPECT_GT(e.weight, 0);
      divisor = std::gcd(divisor, e.weight);
    }
    EXPECT_EQ(divisor, 1);
    for (const Support& other : supports) {
      EXPECT_FALSE(includes(other, support_of(x)) || includes(support_of(x), other));
    }
    supports.push_back(support_of(x));
  }
  for_each_vector(a.size(), max, [&](const SparseRow& x) {
    if (!is_solution(a, columns, x)) return;
    const Support support = support_of(x);
    EXPECT_TRUE(std::any_of(supports.begin(), supports.end(),
                            [&](const Support& small) { return includes(support, small); }));
  });
  return found.solutions.size();
}

TEST(MinimalNonnegativeSolutions, AreAllMinimalSolutionsOfSmallMatrices) {
  std::mt19937_64 random(1);
  std::size_t found = 0;
  for (int n = 0; n < 300; ++n) {
    found += expect_minimal_and_complete(random_matrix(random, {6, 3, 3, 0}), 3, 3);
  }
  EXPECT_GT(found, 300u);
}

TEST(MinimalNonnegativeSolutions, AreTheSameWhenLongRowsAreCutIntoBlocks) {
  std::mt19937_64 random(2);
  std::size_t found = 0;
  for (int n = 0; n < 200; ++n) {
    found += expect_minimal_and_complete(random_matrix(random, {6, 12, 2, 1}), 12, 3);
  }
  for (int n = 0; n < 200; ++n) {  // one column that most rows share
    Matrix a = random_matrix(random, {10, 7, 1, 0});
    for (std::size_t r = 0; r < a.size(); ++r) {
      std::erase_if(a[r], [](const IndexWeight& e) { return e.index == 0; });
      a[r].insert(a[r].begin(), {0, r % 2 == 0 ? 1 : -1});
    }
    found += expect_minimal_and_complete(a, 7, 1);
  }
  EXPECT_GT(found, 200u);
}

TEST(MinimalNonnegativeSolutions, TakeEveryRowThatIsZero) {
  const RowCombinations found = minimal_nonnegative_solutions({{}, {{0, 1}}, {}}, 1);
  EXPECT_EQ(found.solutions, (Matrix{{{0, 1}}, {{2, 1}}}));
}

TEST(MinimalNonnegativeSolutions, AnEmptySystemHasNone) {
  EXPECT_TRUE(minimal_nonnegative_solutions({}, 3).solutions.empty());
  EXPECT_TRUE(solution_basis({}, 0).solutions.empty());
}

TEST(MinimalNonnegativeSolutions, SayWhenTheWorkIsTooMuch) {
  std::mt19937_64 random(3);
  const Matrix a = random_matrix(random, {40, 20, 6, 0});
  const RowCombinations found = minimal_nonnegative_solutions(a, 20, {.max_work = 10'000});
  EXPECT_EQ(found.stopped, "more than 10,000 operations");
  EXPECT_TRUE(found.solutions.empty());
  EXPECT_LT(found.work, 20'000u);
}

TEST(MinimalNonnegativeSolutions, SayWhenNumbersLeave64Bits) {
  const std::int64_t big = std::int64_t{1} << 62;
  // x0 * big = x1 * (big - 1), x1 * big = x2 * (big - 1).
  const Matrix a = {{{0, big}}, {{0, 1 - big}, {1, big}}, {{1, 1 - big}}};
  EXPECT_EQ(minimal_nonnegative_solutions(a, 2).stopped, "numbers over 2^63");
  EXPECT_EQ(solution_basis(a, 2).stopped, "numbers over 2^63");
}

TEST(SolutionBasis, HasTheDimensionThatTheRankLeaves) {
  std::mt19937_64 random(4);
  const MatrixShape shapes[] = {{8, 4, 3, 0}, {9, 14, 3, 1}, {20, 15, 4, 2}, {5, 9, 6, 0}};
  std::size_t vectors = 0;
  for (int n = 0; n < 200; ++n) {
    const MatrixShape& shape = shapes[n % 4];
    const Matrix a = random_matrix(random, shape);
    const RowCombinations found = solution_basis(a, shape.columns);
    ASSERT_EQ(found.stopped, "");
    EXPECT_EQ(found.solutions.size(), shape.rows - rank_of(a, shape.columns));
    EXPECT_EQ(rank_of(found.solutions, static_cast<std::uint32_t>(shape.rows)),
              found.solutions.size());
    for (const SparseRow& x : found.solutions) {
      EXPECT_TRUE(is_solution(a, shape.columns, x));
      EXPECT_GT(x.front().weight, 0);
    }
    vectors += found.solutions.size();
  }
  EXPECT_GT(vectors, 400u);
}

}  // namespace
}  // namespace pnsim
