// Ratios of the times of two measuring modes.
#include <algorithm>
#include <map>

#include "experiments/tables/document_tables.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

using TimesOfModes = std::map<std::string, double>;  // mode -> microseconds

// program -> (axes and input as text) -> times
std::map<std::string, std::map<std::string, TimesOfModes>> times_by_point(const RowIndex& rows) {
  std::map<std::string, std::map<std::string, TimesOfModes>> out;
  for (const InputJson& row : rows.all()) {
    if (row.value("kind", "") != "time") continue;
    const JsonReader time(row, "time row " + row.at("id").get<std::string>());
    const std::string point =
        time.at("axes").value().dump() + row.value("input", InputJson()).dump();
    out[time.at("program").string()][point][time.at("mode").string()] =
        time.at("median_us").number(0);
  }
  return out;
}

// The ratios at the points that have both times.
std::vector<double> ratios_of(const std::map<std::string, TimesOfModes>& points,
                              const std::string& above, const std::string& below) {
  std::vector<double> out;
  for (const auto& [point, times] : points) {
    const auto a = times.find(above), b = times.find(below);
    if (a != times.end() && b != times.end()) out.push_back(a->second / b->second);
  }
  return out;
}

void add_ratios(const std::string& program, const std::string& what,
                const std::vector<double>& ratios, TextTable& table, Json& json) {
  if (ratios.empty()) return;
  const auto above =
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio >= 1; });
  const double least = *std::min_element(ratios.begin(), ratios.end());
  table.add_row({what, program, std::to_string(ratios.size()), std::to_string(above),
                 fixed(least, 3), fixed(median(ratios), 3)});
  json.push_back({{"ratio", what},
                  {"program", program},
                  {"points", ratios.size()},
                  {"at_least_1", above},
                  {"least", least},
                  {"median", median(ratios)}});
}

}  // namespace

Rendered modes_table(const RowIndex& rows) {
  TextTable table({"ratio", "program", "points", "at least 1", "smallest", "median"});
  Json json = Json::array();
  const auto programs = times_by_point(rows);
  for (const auto& [above, below] : std::vector<std::pair<std::string, std::string>>{
           {"cold", "warm"}, {"cold", "single"}, {"single", "warm"}}) {
    std::vector<double> all;
    for (const auto& [program, points] : programs) {
      const std::vector<double> ratios = ratios_of(points, above, below);
      add_ratios(program, above + " / " + below, ratios, table, json);
      all.insert(all.end(), ratios.begin(), ratios.end());
    }
    add_ratios("all", above + " / " + below, all, table, json);
  }
  if (table.empty()) {
    fail_unavailable(
        "no point is recorded in two modes; on a machine with that GPU: experiment "
        "measure --spec sobel, the same with --mode cold");
  }
  return {"Times of one mode over those of another\n\n" + table.text(2), json.dump(1) + "\n", ""};
}

}  // namespace pnsim::experiments
