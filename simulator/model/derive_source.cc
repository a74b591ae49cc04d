// Programs of the source page for the launches of the raw page.
#include "simulator/base/error.h"
#include "simulator/model/derive.h"
#include "simulator/model/programs.h"

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

}  // namespace

void add_programs(std::vector<ProfiledLaunch>& launches, const std::string& csv_text,
                  const std::string& origin) {
  const auto tables =
      one_table_a_launch(read_source_page(csv_text, origin), launches.size(), origin);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch.counters = launches[i].memory;
    launches[i].launch = with_programs(std::move(launches[i].launch), tables[i]);
  }
}

}  // namespace pnsim
