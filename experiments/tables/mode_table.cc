// Ratios of the times of two measuring modes, and of warm times to those under the profiler.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "experiments/tables/document_tables.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

using TimesOfModes = std::map<std::string, double>;  // mode -> microseconds

// The members of an object, sorted by name: rows of different kinds have them in different orders.
std::string sorted_text(const InputJson& row, const char* key) {
  std::map<std::string, std::string> members;
  if (const auto it = row.find(key); it != row.end() && it->is_object()) {
    for (const auto& [name, value] : it->items()) members[name] = value.dump();
  }
  std::string text = key;
  for (const auto& [name, value] : members) text += " " + name + "=" + value;
  return text;
}

std::string point_of(const InputJson& row) {
  return sorted_text(row, "axes") + ", " + sorted_text(row, "input");
}

// program -> (axes and input as text) -> times
std::map<std::string, std::map<std::string, TimesOfModes>> times_by_point(const RowIndex& rows) {
  std::map<std::string, std::map<std::string, TimesOfModes>> out;
  for (const InputJson& row : rows.all()) {
    if (row.value("kind", "") != "time") continue;
    const JsonReader time(row, "time row " + row.at("id").get<std::string>());
    out[time.at("program").string()][point_of(row)][time.at("mode").string()] =
        time.at("median_us").number(0);
  }
  return out;
}

// The ranges of lengths that the profiler's times are shown by, in microseconds.
struct LengthRange {
  double from_us, to_us;
  const char* name;
};
constexpr LengthRange kLengths[] = {
    {0, 20, "under 20 us"}, {20, 100, "20 to 100 us"}, {100, 1e12, "100 us and more"}};

// The time of a counts row under the profiler, in microseconds; nothing unless it is of one launch.
std::optional<double> profiled_us(const InputJson& row) {
  const JsonReader counts(row, "counts row " + row.at("id").get<std::string>());
  const auto kernels = counts.at("kernels").items();
  if (kernels.size() != 1) return std::nullopt;
  const auto times = kernels[0].at("profiled_us").items();
  if (times.size() != 1) return std::nullopt;
  return times[0].number(0);
}

// [range of kLengths] warm time / time under the profiler, of points with one launch.
std::vector<std::vector<double>> shares_of_profiled(
    const RowIndex& rows, const std::map<std::string, std::map<std::string, TimesOfModes>>& times) {
  std::vector<std::vector<double>> out(std::size(kLengths));
  for (const InputJson& row : rows.all()) {
    if (row.value("kind", "") != "counts") continue;
    const auto program = times.find(row.at("program").get<std::string>());
    const std::optional<double> profiled = profiled_us(row);
    if (program == times.end() || !profiled || *profiled <= 0) continue;
    const auto point = program->second.find(point_of(row));
    if (point == program->second.end()) continue;
    const auto warm = point->second.find("warm");
    if (warm == point->second.end()) continue;
    const auto range = std::find_if(std::begin(kLengths), std::end(kLengths),
                                    [&](const LengthRange& of) { return *profiled < of.to_us; });
    out[static_cast<std::size_t>(range - std::begin(kLengths))].push_back(warm->second / *profiled);
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
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  table.add_row({what, program, std::to_string(ratios.size()), std::to_string(above),
                 fixed(*least, 3), fixed(median(ratios), 3), fixed(*most, 3)});
  json.push_back({{"ratio", what},
                  {"program", program},
                  {"points", ratios.size()},
                  {"at_least_1", above},
                  {"least", *least},
                  {"median", median(ratios)},
                  {"most", *most}});
}

}  // namespace

Rendered modes_table(const RowIndex& rows) {
  TextTable table({"ratio", "program", "points", "at least 1", "smallest", "median", "largest"});
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
  const auto shares = shares_of_profiled(rows, programs);
  for (std::size_t i = 0; i < std::size(kLengths); ++i)
    add_ratios(kLengths[i].name, "warm / profiled", shares[i], table, json);
  if (table.empty()) {
    fail_unavailable(
        "no point is recorded in two modes; on a machine with that GPU: experiment "
        "measure --spec sobel, the same with --mode cold");
  }
  return {
      "Times of one mode over those of another; warm / profiled: points with one launch, by "
      "its length under the profiler\n\n" +
          table.text(2),
      json.dump(1) + "\n", ""};
}

}  // namespace pnsim::experiments
