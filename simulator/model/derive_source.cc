// Raw page and source page together: the one checks the other, and has the programs.
#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/derive.h"
#include "simulator/model/programs.h"
#include "simulator/model/sass.h"

namespace pnsim {
namespace {

// Every table, or every other one where each stands twice in a row.
std::vector<SourceTable> one_table_a_launch(std::vector<SourceTable> tables, std::size_t launches,
                                            const std::string& origin) {
  if (tables.size() == launches) return tables;
  std::vector<SourceTable> out;
  bool is_doubled = tables.size() == 2 * launches;
  for (std::size_t i = 0; is_doubled && i < tables.size(); i += 2) {
    is_doubled = tables[i].same_rows(tables[i + 1]);
    out.push_back(std::move(tables[i]));
  }
  if (is_doubled) return out;
  fail_input(origin, "found " + std::to_string(tables.size()) +
                         " tables, expected one or two for "
                         "each of the " +
                         std::to_string(launches) + " launches of the raw page");
}

void check_table(const ProfiledLaunch& launch, const SourceTable& table, const std::string& where) {
  const SourceCounts page = counts_of(table);
  if (page.kernel != launch.kernel) {
    fail_input(where, "found kernel \"" + page.kernel + "\", expected \"" + launch.kernel + "\"");
  }
  // The page counts predicated-off accesses as executed, the counters from the code do not.
  if (page.instructions != launch.instructions || page.totals.shared < launch.totals.shared ||
      page.totals.global < launch.totals.global) {
    const auto text = [](std::int64_t all, const InstructionCounts& c) {
      return std::to_string(all) + " (" + std::to_string(c.arithmetic) + " arithmetic, " +
             std::to_string(c.shared) + " shared, " + std::to_string(c.global) + " global)";
    };
    fail_input(where, "the instructions add up to " + text(page.instructions, page.totals) +
                          ", the raw page has " + text(launch.instructions, launch.totals));
  }
}

std::vector<SourceTable> checked_tables(const std::vector<ProfiledLaunch>& launches,
                                        const std::string& csv_text, const std::string& origin) {
  auto tables = one_table_a_launch(read_source_page(csv_text, origin), launches.size(), origin);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    check_table(launches[i], tables[i], origin + ": launch " + std::to_string(launches[i].id));
  }
  return tables;
}

}  // namespace

void check_against_source(const std::vector<ProfiledLaunch>& launches, const std::string& csv_text,
                          const std::string& origin) {
  checked_tables(launches, csv_text, origin);
}

void add_programs(std::vector<ProfiledLaunch>& launches, const std::string& csv_text,
                  const std::string& origin) {
  const auto tables = checked_tables(launches, csv_text, origin);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch.counters = launches[i].counters;
    launches[i].launch = with_programs(std::move(launches[i].launch), tables[i]);
  }
}

}  // namespace pnsim
