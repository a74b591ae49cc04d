#include "simulator/model/source_check.h"

#include "simulator/base/error.h"

namespace pnsim {
namespace {

void check_same_instructions(const ProfiledLaunch& launch, const SourceCounts& page,
                             const std::string& where) {
  if (page.kernel != launch.kernel) {
    fail_input(where, "found kernel \"" + page.kernel + "\", expected \"" + launch.kernel + "\"");
  }
  // The page counts predicated-off accesses as executed, the counters from the code do not.
  if (page.instructions == launch.instructions && page.totals.shared >= launch.totals.shared &&
      page.totals.global >= launch.totals.global) {
    return;
  }
  const auto text = [](std::int64_t all, const InstructionCounts& c) {
    return std::to_string(all) + " (" + std::to_string(c.arithmetic) + " arithmetic, " +
           std::to_string(c.shared) + " shared, " + std::to_string(c.global) + " global)";
  };
  fail_input(where, "the instructions add up to " + text(page.instructions, page.totals) +
                        ", the raw page has " + text(launch.instructions, launch.totals));
}

// How many sums both pages have.
std::size_t compare_sums(const ProfiledLaunch& launch, const SourceCounts& page,
                         const std::string& where) {
  std::size_t compared = 0;
  for (const auto& [column, sum] : page.sums) {
    const auto it = launch.counters.find(column);
    if (it == launch.counters.end()) continue;
    ++compared;
    if (it->second == static_cast<double>(sum)) continue;
    fail_input(where, launch.kernel + ", " + column + ": the source page adds up to " +
                          std::to_string(sum) + ", the raw page has " +
                          std::to_string(static_cast<std::int64_t>(it->second)));
  }
  return compared;
}

}  // namespace

SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin) {
  SourceCheck check;
  check.tables = one_table_a_launch(read_source_page(csv_text, origin), launches.size(), origin);
  for (const SourceTable& table : check.tables) check.launches.push_back(counts_of(table));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::string where = origin + ": launch " + std::to_string(launches[i].id);
    check_same_instructions(launches[i], check.launches[i], where);
    check.sums.push_back(compare_sums(launches[i], check.launches[i], where));
  }
  return check;
}

}  // namespace pnsim
