#include "experiments/measure/repeatability.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/provenance.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

struct StatedTime {
  double us, half_width_us;
};

StatedTime stated_time(const InputJson& row) {
  const JsonReader reader(row, "time row " + row.at("id").get<std::string>());
  const JsonReader interval = reader.at("ci95_us");
  if (!interval.is_array() || interval.items().size() != 2) {
    interval.fail_expected("[low, high]: a time of several rounds");
  }
  const double low = interval.items()[0].number(), high = interval.items()[1].number();
  return {reader.at("median_us").number(0), (high - low) / 2};
}

std::map<std::string, const InputJson*> by_id(const std::vector<InputJson>& rows) {
  std::map<std::string, const InputJson*> out;
  for (const InputJson& row : rows) out[row.at("id").get<std::string>()] = &row;
  return out;
}

Repeatability summary_of(const std::string& program, const std::vector<RepeatedTime>& times) {
  std::vector<double> differences, sizes, half_widths;
  std::size_t within = 0;
  for (const RepeatedTime& time : times) {
    if (program != "all" && time.program != program) continue;
    differences.push_back(time.difference);
    sizes.push_back(std::abs(time.difference));
    half_widths.push_back(time.half_width);
    within += time.is_within ? 1 : 0;
  }
  return {program,
          sizes.size(),
          static_cast<double>(within) / static_cast<double>(sizes.size()),
          median(differences),
          median(sizes),
          quantile(sizes, 0.95),
          *std::max_element(sizes.begin(), sizes.end()),
          median(half_widths),
          quantile(half_widths, 0.95)};
}

// The common provenance of the rows of a file, from its last row.
Json set_json(const std::vector<InputJson>& rows) {
  const InputJson& last = rows.back();
  return {{"commit", last.at("commit").get<std::string>()},
          {"date", last.at("date").get<std::string>()},
          {"driver", Json(last.at("device").at("driver"))}};
}

// Checks all keys that are read below.
void check_time_row(const InputJson& row) {
  const JsonReader reader(row, "row " + row.at("id").get<std::string>());
  for (const char* key : {"program", "mode", "commit", "date"}) reader.at(key).string();
  reader.at("device").at("name").string();
  reader.at("device").at("driver");
  reader.at("median_us").number(1e-9, 1e15);
}

Json rounded(double value) { return std::round(value * 1e6) / 1e6; }

}  // namespace

std::vector<RepeatedTime> repeated_times(const std::vector<InputJson>& first,
                                         const std::vector<InputJson>& second) {
  for (const auto* rows : {&first, &second}) {
    for (const InputJson& row : *rows) check_time_row(row);
  }
  const auto before = by_id(first);
  std::vector<RepeatedTime> out;
  for (const auto& [id, row] : by_id(second)) {
    const auto it = before.find(id);
    if (it == before.end()) continue;
    const StatedTime a = stated_time(*it->second), b = stated_time(*row);
    const double within_us = std::hypot(a.half_width_us, b.half_width_us);
    out.push_back({row->at("program").get<std::string>(), b.us / a.us - 1,
                   std::abs(b.us - a.us) <= within_us, a.half_width_us / a.us});
  }
  if (out.empty()) fail_unavailable("the two files have no point in common");
  return out;
}

std::vector<Repeatability> summarize_repeats(const std::vector<RepeatedTime>& times) {
  std::vector<std::string> programs;
  for (const RepeatedTime& time : times) {
    if (std::find(programs.begin(), programs.end(), time.program) == programs.end()) {
      programs.push_back(time.program);
    }
  }
  std::sort(programs.begin(), programs.end());
  programs.push_back("all");
  std::vector<Repeatability> out;
  for (const std::string& program : programs) out.push_back(summary_of(program, times));
  return out;
}

Json repeat_row(const std::vector<InputJson>& first, const std::vector<InputJson>& second,
                const std::vector<Repeatability>& summary, const std::string& command) {
  const Json what = {{"kind", "repeat"},
                     {"device", second.back().at("device").at("name").get<std::string>()},
                     {"mode", second.back().at("mode").get<std::string>()},
                     {"first", set_json(first)},
                     {"second", set_json(second)}};
  Json row = {{"id", hash_id(to_line(what))}};
  row.update(what);
  row["programs"] = Json::array();
  for (const Repeatability& r : summary) {
    row["programs"].push_back({{"program", r.program},
                               {"points", r.points},
                               {"within_share", rounded(r.within_share)},
                               {"median_difference", rounded(r.median_difference)},
                               {"median_size", rounded(r.median_size)},
                               {"p95_size", rounded(r.p95_size)},
                               {"worst_size", rounded(r.worst_size)},
                               {"median_half_width", rounded(r.median_half_width)},
                               {"p95_half_width", rounded(r.p95_half_width)}});
  }
  row.update({{"commit", build_commit()}, {"date", utc_now()}, {"command", command}});
  return row;
}

std::string repeat_text(const InputJson& row) {
  const JsonReader reader(row, "repeat row");
  const auto set = [&](const char* key) {
    return reader.at(key).at("date").string() + " (commit " + reader.at(key).at("commit").string() +
           ")";
  };
  TextTable table({"program", "points", "within the 95 % interval %", "median difference %",
                   "median |difference| %", "95th percentile %", "worst %", "stated: median +- %",
                   "95th percentile +- %"});
  for (const JsonReader& r : reader.at("programs").items()) {
    const auto percent = [&](const char* key) { return fixed(100 * r.at(key).number(), 2); };
    table.add_row({r.at("program").string(), std::to_string(r.at("points").integer(1, 1'000'000)),
                   fixed(100 * r.at("within_share").number(), 1), percent("median_difference"),
                   percent("median_size"), percent("p95_size"), percent("worst_size"),
                   percent("median_half_width"), percent("p95_half_width")});
  }
  return reader.at("device").string() + ", " + reader.at("mode").string() + " times of " +
         set("first") + ", compared with those of " + set("second") + "\n\n" + table.text(2) + "\n";
}

}  // namespace pnsim::experiments
