#include "simulator/model/derive/source_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/model/derive/table_match.h"
#include "simulator/model/sass/called_functions.h"
#include "simulator/model/sass/kernel_name.h"
#include "simulator/model/sass/page_text.h"
#include "simulator/model/sass/spinning.h"

namespace pnsim {
namespace {

// The profiler counts each metric in a run of its own. Where diverged warps reconverge differs from
// run to run, and so do their counts; most of all in a search of hash tables. How often a warp
// tests a barrier before other warps arrive differs even more.
constexpr double kMaxSplitDifference = 0.1, kMaxSpinDifference = 0.5;

// Predicates that depend on data may take the place of branches: which block is the last to add its
// part, or what a buffer holds at first. So the predicated-on threads differ between runs although
// all instructions are equal: by 0.006 to 1.4 % in 5 of 97 launches of a PyTorch program.
constexpr double kMaxPredicateDifference = kMaxSplitDifference;
constexpr std::array kPredicateSums = {"smsp__thread_inst_executed_pred_on.sum",
                                       "thread_inst_executed_true"};

// One table of the page.
struct Table {
  std::shared_ptr<const SourceTable> rows;
  SourceCounts counts;
  double tolerance = 0;  // relative difference of a sum
};

double tolerance_of(const SourceTable& table) {
  if (spinning_instructions(parse_code(table)) > 0) return kMaxSpinDifference;
  const bool splits = std::any_of(table.rows.begin(), table.rows.end(),
                                  [](const SourceRow& row) { return row.divergent > 0; });
  return splits ? kMaxSplitDifference : 0;
}

std::vector<Table> read_tables(const std::string& csv_text, const std::string& origin,
                               double tolerance) {
  std::vector<Table> out;
  std::vector<SourceTable> page = join_called_functions(read_source_tables(csv_text, origin));
  if (page.empty()) fail_other_page(csv_text, origin, PageKind::kSource);
  for (SourceTable& table : page) {
    const auto rows = std::make_shared<const SourceTable>(std::move(table));
    out.push_back({rows, counts_of(*rows), std::max(tolerance_of(*rows), tolerance)});
  }
  return out;
}

// Every kernel has an instruction that ends its threads.
bool has_exit(const SourceTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const SourceRow& row) {
    return row.text.find("EXIT") != std::string::npos;
  });
}
constexpr const char* kCutOff =
    "; the table has no EXIT, so it may be cut off: print the page again";

// A sum of the source page that is not the raw page's.
struct Difference {
  std::string sum;  // its name
  std::string text;
  double relative = 0;  // (source - raw) / raw; infinite where the raw page has none
};

std::string percent_text(double relative) {
  if (relative == 0 || !std::isfinite(relative)) return "";
  return std::string(relative < 0 ? " (-" : " (+") + significant(100 * std::abs(relative), 2) +
         " %)";
}

// One launch beside one table.
class Comparison {
 public:
  Comparison(const ProfiledLaunch& launch, const Table& table) : launch_(launch), table_(table) {
    const SourceCounts& page = table_.counts;
    if (!is_same_kernel(page.kernel, launch_.kernel)) {
      fault_ = "found kernel \"" + page.kernel + "\", expected \"" + launch_.kernel + "\"";
      return;
    }
    if (!table_.rows->fault.empty()) return;
    compare_instructions();
    compare_sums();
  }

  // "" where the table is that of the launch.
  const std::string& fault() const { return fault_; }
  const std::vector<Difference>& differences() const { return differences_; }  // tolerated
  std::size_t equal_sums() const { return equal_; }
  // The tolerance that accepts every sum; 0 for a table of another kernel.
  double largest_difference() const { return largest_; }

 private:
  void compare_instructions() {
    const SourceCounts& page = table_.counts;
    // The source page counts predicated-off accesses as executed; counters from the code do not.
    // They count a generic access by the memory that it touches.
    const bool has_all =
        page.totals.global >= launch_.totals.global &&
        page.totals.shared + page.generic >= launch_.totals.shared &&
        page.totals.shared + page.totals.global >= launch_.totals.shared + launch_.totals.global;
    if (page.instructions == launch_.instructions && has_all) return;
    const auto text = [](std::int64_t all, const InstructionCounts& c) {
      return std::to_string(all) + " (" + std::to_string(c.arithmetic) + " arithmetic, " +
             std::to_string(c.shared) + " shared, " + std::to_string(c.global) + " global)";
    };
    differ("instructions",
           "the instructions add up to " + text(page.instructions, page.totals) +
               ", the raw page has " + text(launch_.instructions, launch_.totals),
           static_cast<double>(page.instructions), static_cast<double>(launch_.instructions),
           table_.tolerance);
  }

  void compare_sums() {
    for (const auto& [column, sum] : table_.counts.sums) {
      const auto it = launch_.counters.find(column);
      if (it == launch_.counters.end()) continue;
      if (it->second == static_cast<double>(sum)) {
        ++equal_;
        continue;
      }
      differ(column,
             column + ": the source page adds up to " + std::to_string(sum) +
                 ", the raw page has " + std::to_string(static_cast<std::int64_t>(it->second)),
             static_cast<double>(sum), it->second, tolerance_of_sum(column));
    }
  }

  double tolerance_of_sum(const std::string& column) const {
    const bool is_predicate =
        std::find(kPredicateSums.begin(), kPredicateSums.end(), column) != kPredicateSums.end();
    return is_predicate ? std::max(table_.tolerance, kMaxPredicateDifference) : table_.tolerance;
  }

  void differ(const std::string& sum, const std::string& text, double page_sum, double raw_sum,
              double tolerance) {
    const double relative = page_sum == raw_sum ? 0 : (page_sum - raw_sum) / raw_sum;
    const Difference found{sum, text + percent_text(relative), relative};
    largest_ = std::max(largest_, std::abs(relative));
    if (tolerance > 0 && std::abs(relative) <= tolerance) {
      differences_.push_back(found);
    } else if (fault_.empty()) {
      fault_ = found.text + (has_exit(*table_.rows) ? "" : kCutOff);
    }
  }

  const ProfiledLaunch& launch_;
  const Table& table_;
  std::string fault_;
  std::vector<Difference> differences_;
  std::size_t equal_ = 0;
  double largest_ = 0;
};

// A launch's tolerated differences in one sentence: the largest, and the names of the others.
std::string sentence_of(std::vector<Difference> differences) {
  std::stable_sort(differences.begin(), differences.end(), [](const auto& a, const auto& b) {
    return std::abs(a.relative) > std::abs(b.relative);
  });
  std::string out = differences.front().text;
  if (differences.size() == 1) return out;
  out += differences.size() == 2 ? "; one more sum differs:" : "; these sums differ, too:";
  for (std::size_t i = 1; i < differences.size(); ++i)
    out += (i == 1 ? " " : ", ") + differences[i].sum + percent_text(differences[i].relative);
  return out;
}

// The tables of one page beside the launches.
class PageMatch {
 public:
  PageMatch(const std::vector<ProfiledLaunch>& launches, const Faults& faults,
            const std::vector<Table>& tables, const std::string& origin)
      : launches_(launches), faults_(faults), tables_(tables), origin_(origin) {
    std::vector<std::size_t> copies;
    for (const Table& table : tables) copies.push_back(table.rows->copies);
    match_ = match_tables(launches.size(), copies, [&](std::size_t launch, std::size_t table) {
      return fit(launch, table);
    });
  }

  SourceCheck check() const {
    SourceCheck out;
    out.faults = faults_;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const std::size_t table = match_.table[i];
      if (!faults_[i].empty() || table == kNoTable) {
        if (faults_[i].empty()) note_unmatched(i, out);
        out.tables.emplace_back();
        out.launches.emplace_back();
        out.sums.push_back(0);
        continue;
      }
      const Comparison comparison(launches_[i], tables_[table]);
      if (!comparison.differences().empty()) {
        out.differences.push_back(where(i) + ": " + sentence_of(comparison.differences()));
        out.tolerated_sums += comparison.differences().size();
      }
      out.faults[i] = tables_[table].rows->fault;
      out.tables.push_back(tables_[table].rows);
      out.launches.push_back(tables_[table].counts);
      out.sums.push_back(comparison.equal_sums());
    }
    if (match_.unused > 0) {
      out.differences.push_back(
          origin_ + ": " +
          (match_.unused == 1 ? "one table of the page belongs"
                              : std::to_string(match_.unused) + " tables of the page belong") +
          " to no launch of the raw page");
    }
    return out;
  }

 private:
  std::string where(std::size_t launch) const {
    return origin_ + ": launch " + std::to_string(launches_[launch].id) + " (" +
           launches_[launch].kernel + ")";
  }

  // A launch or a table whose counts are unknown fits by its name.
  Fit fit(std::size_t i, std::size_t t) const {
    const ProfiledLaunch& launch = launches_[i];
    const Table& table = tables_[t];
    if (!is_same_kernel(table.counts.kernel, launch.kernel)) return Fit::kNone;
    if (!faults_[i].empty() || !table.rows->fault.empty()) return Fit::kTolerated;
    if (table.tolerance == 0 && table.counts.instructions != launch.instructions) return Fit::kNone;
    const Comparison comparison(launch, table);
    if (!comparison.fault().empty()) return Fit::kNone;
    return comparison.differences().empty() ? Fit::kExact : Fit::kTolerated;
  }

  // The first launch before, or behind, that has a table; its table.
  std::size_t table_before(std::size_t launch) const {
    while (launch > 0) {
      if (match_.table[--launch] != kNoTable) return match_.table[launch] + 1;
    }
    return 0;
  }
  std::size_t table_behind(std::size_t launch) const {
    while (++launch < launches_.size()) {
      if (match_.table[launch] != kNoTable) return match_.table[launch];
    }
    return tables_.size();
  }

  void note_unmatched(std::size_t launch, SourceCheck& out) const {
    const std::size_t table = table_of_neighbours(launch);
    out.faults[launch] = where(launch) + ": ";
    if (table == kNoTable) {
      out.faults[launch] += "the page has no table for this launch";
      return;
    }
    const Comparison comparison(launches_[launch], tables_[table]);
    out.faults[launch] += comparison.fault();
    if (std::isfinite(comparison.largest_difference())) {
      out.needed_tolerance = std::max(out.needed_tolerance, comparison.largest_difference());
    }
  }

  // Between the tables of its neighbours stands that of the launch, if there is one.
  std::size_t table_of_neighbours(std::size_t launch) const {
    std::size_t first = launch, end = launch + 1;
    while (first > 0 && match_.table[first - 1] == kNoTable) --first;
    while (end < launches_.size() && match_.table[end] == kNoTable) ++end;
    const std::size_t table = table_before(launch), last = table_behind(launch);
    if (last >= table && last - table == end - first) {
      return table + launch - first;
    }
    for (std::size_t t = table; t < last; ++t) {
      if (is_same_kernel(tables_[t].counts.kernel, launches_[launch].kernel)) return t;
    }
    return kNoTable;
  }

  const std::vector<ProfiledLaunch>& launches_;
  const Faults& faults_;
  const std::vector<Table>& tables_;
  const std::string& origin_;
  TableMatch match_;
};

}  // namespace

SourceCheck compare_with_source(const std::vector<ProfiledLaunch>& launches, Faults faults,
                                const std::string& csv_text, const std::string& origin,
                                double tolerance) {
  faults.resize(launches.size());
  const std::vector<Table> tables = read_tables(csv_text, origin, tolerance);
  return PageMatch(launches, faults, tables, origin).check();
}

SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin) {
  SourceCheck check = compare_with_source(launches, {}, csv_text, origin);
  refuse_faults(check.faults);
  return check;
}

}  // namespace pnsim
