#include "simulator/model/derive/source_check.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// The profiler counts each metric in a run of its own. Where diverged warps reconverge differs from
// run to run, and so do their counts; most of all in a search of hash tables.
constexpr double kMaxSplitDifference = 0.1;

bool splits(const SourceTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const SourceRow& row) { return row.divergent > 0; });
}

// One launch on both pages.
struct Pair {
  const ProfiledLaunch& launch;
  const SourceCounts& page;
  bool splits;
  std::string where;
  std::vector<std::string>& differences;

  // Error 3, or a difference that is tolerated.
  void differ(const std::string& text, double page_sum, double raw_sum) const {
    if (!splits || std::abs(page_sum - raw_sum) > kMaxSplitDifference * raw_sum) {
      fail_input(where, text);
    }
    differences.push_back(where + ": " + text);
  }
};

void check_same_instructions(const Pair& pair) {
  const ProfiledLaunch& launch = pair.launch;
  const SourceCounts& page = pair.page;
  if (page.kernel != launch.kernel) {
    fail_input(pair.where,
               "found kernel \"" + page.kernel + "\", expected \"" + launch.kernel + "\"");
  }
  // The source page counts predicated-off accesses as executed; counters from the code do not.
  if (page.instructions == launch.instructions && page.totals.shared >= launch.totals.shared &&
      page.totals.global >= launch.totals.global) {
    return;
  }
  const auto text = [](std::int64_t all, const InstructionCounts& c) {
    return std::to_string(all) + " (" + std::to_string(c.arithmetic) + " arithmetic, " +
           std::to_string(c.shared) + " shared, " + std::to_string(c.global) + " global)";
  };
  pair.differ("the instructions add up to " + text(page.instructions, page.totals) +
                  ", the raw page has " + text(launch.instructions, launch.totals),
              static_cast<double>(page.instructions), static_cast<double>(launch.instructions));
}

// The number of sums that both pages have and that are equal.
std::size_t compare_sums(const Pair& pair) {
  std::size_t equal = 0;
  for (const auto& [column, sum] : pair.page.sums) {
    const auto it = pair.launch.counters.find(column);
    if (it == pair.launch.counters.end()) continue;
    if (it->second == static_cast<double>(sum)) {
      ++equal;
      continue;
    }
    pair.differ(column + ": the source page adds up to " + std::to_string(sum) +
                    ", the raw page has " + std::to_string(static_cast<std::int64_t>(it->second)),
                static_cast<double>(sum), it->second);
  }
  return equal;
}

}  // namespace

SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin) {
  SourceCheck check;
  check.tables = one_table_a_launch(read_source_page(csv_text, origin), launches.size(), origin);
  for (const SourceTable& table : check.tables) check.launches.push_back(counts_of(table));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::string where =
        origin + ": launch " + std::to_string(launches[i].id) + " (" + launches[i].kernel + ")";
    const Pair pair{launches[i], check.launches[i], splits(check.tables[i]), where,
                    check.differences};
    check_same_instructions(pair);
    check.sums.push_back(compare_sums(pair));
  }
  return check;
}

}  // namespace pnsim
