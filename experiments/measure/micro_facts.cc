#include "experiments/measure/micro_facts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "experiments/measure/l2_structure.h"
#include "experiments/measure/measured_facts.h"
#include "gpu/microbench.h"
#include "simulator/base/json_reader.h"

namespace pnsim::experiments {
namespace {

// The row's settings as one text in which single settings can be found: " level=l2 kind=read ".
std::string settings_of(const InputJson& row) {
  std::string text = " ";
  for (const auto& [axis, value] : row.at("axes").items()) {
    text += axis + "=" + (value.is_string() ? value.get<std::string>() : value.dump()) + " ";
  }
  return text;
}

bool holds_all(const std::string& settings, const std::string& wanted) {
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (settings.find(" " + wanted.substr(at, end - at) + " ") == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

struct Row {
  std::string bench, settings, date, command;
  double value, noise;
};

std::optional<Row> read_row(const InputJson& json) {
  if (json.value("kind", "") != "micro") return std::nullopt;
  const bool may_throttle = measures_throttling(json.value("bench", ""));
  if (!may_throttle && json.value("throttled", Json(nullptr)) == true) return std::nullopt;
  const Json others = json.value("other_processes", Json(nullptr));
  if (others.is_number() && others != 0) return std::nullopt;
  const JsonReader row(json, "microbench row " + json.value("id", "?"));
  row.at("axes");  // throws error 3 when it is missing
  return Row{row.at("bench").string(),  settings_of(json),        row.at("date").string(),
             json.value("command", ""), row.at("value").number(), row.at("rel_mad").number()};
}

// What a fact says of its origin. The command of a row that the microbenchmark did not print begins
// with "by hand".
std::string source_of(const Row& row) {
  return (row.command.starts_with("by hand") ? "measured by hand, not by " : "") +
         ("experiment microbench " + row.bench + row.settings + "on " + row.date.substr(0, 10));
}

// The settings of a fact, with the number of SMs of the device filled in.
std::string settings_on(const char* settings, const std::string& sms) {
  constexpr std::string_view kSms = "SMS";
  std::string text = settings;
  for (std::size_t at = text.find(kSms); at != std::string::npos; at = text.find(kSms)) {
    text.replace(at, kSms.size(), sms);
  }
  return text;
}

const Row* find_row(const std::vector<Row>& rows, const MeasuredFact& fact,
                    const std::string& sms) {
  const std::string wanted = settings_on(fact.settings, sms);
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (row.bench != fact.bench || !holds_all(row.settings, wanted)) continue;
    if (best == nullptr || row.value > best->value) best = &row;
  }
  return best;
}

// A straight line through two points of a curve.
struct Line {
  double x0, y0, slope;
  double at(double x) const { return y0 + slope * (x - x0); }
};

Line through(std::pair<double, double> a, std::pair<double, double> b) {
  return {a.first, a.second, (b.second - a.second) / (b.first - a.first)};
}

// The time of a launch over its footprint. Footprints up to kAllStaysMib stay in L2 and lie on one
// line; those from kNothingStaysMib on do not stay and lie on another. A footprint between them
// lies some way from the first line to the second.
constexpr double kAllStaysMib = 24, kNothingStaysMib = 96;
using Curve = std::map<double, double>;  // MiB, ns a launch

// The smallest footprint at which this share of the way is reached.
std::optional<double> footprint_at(const Curve& curve, const Line& stays, const Line& goes,
                                   double part) {
  std::optional<std::pair<double, double>> before;
  for (const auto& [mib, ns] : curve) {
    const double way = (ns - stays.at(mib)) / (goes.at(mib) - stays.at(mib));
    if (mib > kAllStaysMib && way >= part) {
      if (!before) return mib;
      return before->first +
             (mib - before->first) * (part - before->second) / (way - before->second);
    }
    before = {mib, way};
  }
  return std::nullopt;
}

// The part of a footprint that L2 keeps from launch to launch: everything up to ..._keeps_bytes,
// nothing from ..._loses_bytes on. Both are extrapolated from a quarter and three quarters of the
// way.
std::size_t set_footprints(const std::vector<Row>& rows, const std::string& kind,
                           DeviceProfile& profile) {
  Curve curve;
  std::string date;
  double noise = 0;
  for (const Row& row : rows) {
    if (row.bench != "l2_footprint" || !holds_all(row.settings, "kind=" + kind)) continue;
    const std::size_t mib = row.settings.find("mib=");
    if (mib == std::string::npos) continue;
    curve[std::stod(row.settings.substr(mib + 4))] = row.value;
    date = row.date;
    noise = std::max(noise, row.noise);
  }
  const auto last_that_stays = curve.upper_bound(kAllStaysMib);
  const auto first_that_goes = curve.lower_bound(kNothingStaysMib);
  if (curve.empty() || last_that_stays == curve.begin() || first_that_goes == curve.end()) return 0;
  const auto fits = std::prev(last_that_stays), most = std::prev(curve.end());
  if (fits == curve.begin() || first_that_goes == most) return 0;  // a line needs two points
  const Line stays = through(*curve.begin(), *fits), goes = through(*first_that_goes, *most);
  const auto quarter = footprint_at(curve, stays, goes, 0.25);
  const auto three_quarters = footprint_at(curve, stays, goes, 0.75);
  if (!quarter || !three_quarters) return 0;
  const double half_way = (*three_quarters - *quarter) / 2;
  const std::string source =
      "experiment microbench l2_footprint kind=" + kind + " on " + date.substr(0, 10);
  constexpr double kBytesOfMib = 1 << 20;
  const auto bytes = [&](double mib) {
    return DeviceFact{std::round(mib * kBytesOfMib), "byte", source, noise};
  };
  profile.facts["l2_" + kind + "_keeps_bytes"] = bytes(*quarter - half_way);
  profile.facts["l2_" + kind + "_loses_bytes"] = bytes(*three_quarters + half_way);
  if (kind != "copy" || !(stays.slope > 0)) return 2;
  // From launches that stay in L2. Launches that only read are limited by the dispatch of their
  // blocks, so the copy is used.
  profile.facts["l2_copy_bandwidth"] = {kBytesOfMib / stays.slope * 1e9, "byte/s", source, noise};
  return 3;
}

}  // namespace

std::size_t set_measured_facts(const std::vector<InputJson>& rows, DeviceProfile& profile) {
  std::vector<Row> known;
  for (const InputJson& json : rows) {
    if (std::optional<Row> row = read_row(json)) known.push_back(std::move(*row));
  }
  const std::string sms =
      profile.facts.contains("sms") ? std::to_string(profile.count("sms")) : "?";
  std::size_t set = 0;
  for (const MeasuredFact& fact : measured_facts()) {
    const Row* row = find_row(known, fact, sms);
    if (row == nullptr) continue;
    const double value = row->value * fact.factor;
    if (!is_plausible_fact(fact.key, value)) {
      spdlog::warn(
          "{}: no GPU can have the value {} {} that was measured, so the fact stays as it was; "
          "measure it again: experiment microbench {}",
          fact.key, value, fact.unit, fact.bench);
      continue;
    }
    profile.facts[fact.key] = {value, fact.unit, source_of(*row), row->noise};
    ++set;
  }
  for (const char* kind : {"read", "copy"}) set += set_footprints(known, kind, profile);
  return set + set_l2_partitions(rows, profile);
}

std::vector<std::string> benches_of_facts() {
  std::set<std::string> wanted{"l2_footprint", "l2_sides", "latency_l2", "sm_clock"};
  for (const MeasuredFact& fact : measured_facts()) wanted.insert(fact.bench);
  std::vector<std::string> out;
  for (const gpu::Microbenchmark& bench : gpu::microbenchmarks()) {
    if (wanted.contains(bench.name)) out.push_back(bench.name);
  }
  return out;
}

}  // namespace pnsim::experiments
