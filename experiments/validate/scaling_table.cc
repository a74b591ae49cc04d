#include "experiments/validate/scaling_table.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/spec/suite.h"
#include "experiments/validate/device_tables.h"
#include "experiments/validate/validation_figures.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/device/scale.h"

namespace pnsim::experiments {
namespace {

using Positions = std::vector<std::size_t>;

// Facts that are exchanged together.
struct FactGroup {
  std::string name;
  std::vector<std::string> facts;
};

bool is_launch_time(const std::string& key) {
  for (const char* start : {"kernel_", "alone_", "cold_", "graph_launch", "stream_launch"}) {
    if (key.starts_with(start)) return true;
  }
  return false;
}

// The rules, and what they keep: times of launches, and the rest.
std::vector<FactGroup> fact_groups(const DeviceProfile& scaled) {
  std::vector<FactGroup> out;
  std::set<std::string> ruled;
  for (const ScaleRule& rule : scale_rules()) {
    out.push_back({"by " + rule.name, rule.facts});
    ruled.insert(rule.facts.begin(), rule.facts.end());
  }
  FactGroup launches{"kept: times of launches", {}}, rest{"kept: cycles and rates of an SM", {}};
  for (const auto& [key, fact] : scaled.facts) {
    if (ruled.contains(key) || fact.source.starts_with("given")) continue;
    (is_launch_time(key) ? launches : rest).facts.push_back(key);
  }
  out.push_back(std::move(launches));
  out.push_back(std::move(rest));
  return out;
}

DeviceProfile with_facts_of(DeviceProfile profile, const DeviceProfile& other,
                            const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const auto it = other.facts.find(key);
    if (it != other.facts.end()) profile.facts[key] = it->second;
  }
  return profile;
}

GivenFacts sheet_of(const DeviceProfile& device) {
  GivenFacts given;
  for (const auto& [key, unit] : sheet_facts()) {
    // The number of slices is not on data sheets.
    if (std::string(key) != "l2_slices") given[key] = {device.value(key), "its data sheet"};
  }
  return given;
}

double mean_fact_error(const FactGroup& group, const DeviceProfile& scaled,
                       const DeviceProfile& measured) {
  std::vector<double> errors;
  for (const std::string& key : group.facts) {
    if (!scaled.facts.contains(key) || !measured.facts.contains(key)) continue;
    errors.push_back(std::abs(scaled.value(key) / measured.value(key) - 1));
  }
  return errors.empty() ? 0 : mean(errors);
}

// Predicts all points for many profiles in one call, so that a wave that a profile leaves as it is
// is simulated once.
class ScalingJudge {
 public:
  ScalingJudge(const DeviceProfile& to, const std::string& net)
      : net_(load_net(net)),
        set_(collect_points(all_specs(), to, RecordedResults(to.name), {"warm"})) {}

  // Returns the place of the profile's errors.
  std::size_t add(DeviceProfile profile) {
    profiles_.push_back(std::move(profile));
    return profiles_.size() - 1;
  }

  void run(const RunOptions& options) {
    std::vector<PointRequest> requests;
    for (const DeviceProfile& profile : profiles_) {
      for (const ValidationPoint& point : set_.points)
        requests.push_back({point.model, &net_, &profile, point.launches, {}, {}});
    }
    spdlog::info("{} profiles, {} points", profiles_.size(), set_.points.size());
    const std::vector<Prediction> predictions = predict(requests, options);
    Positions all(set_.points.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t p = 0; p < profiles_.size(); ++p) {
      std::vector<double> us;
      for (const std::size_t i : all) {
        us.push_back(predictions[p * all.size() + i].mean_steps_at_device_clock() /
                     profiles_[p].positive("clock_mhz"));
      }
      errors_.push_back(figures_of(set_.points, us, all).errors);
    }
  }

  const ErrorSummary& errors(std::size_t profile) const { return errors_.at(profile); }
  std::size_t points() const { return set_.points.size(); }

 private:
  NetTemplate net_;
  ValidationSet set_;
  std::deque<DeviceProfile> profiles_;
  std::vector<ErrorSummary> errors_;
};

// A group of facts with the places of its profiles in the judge.
struct JudgedGroup {
  FactGroup group;
  double off = 0;
  std::size_t measured = 0;
  std::optional<std::size_t> unscaled;  // none: the data sheet leaves the facts as they are
};

std::vector<JudgedGroup> judged_groups(const DeviceProfile& scaled, const DeviceProfile& from,
                                       const DeviceProfile& to, ScalingJudge& judge) {
  std::vector<JudgedGroup> out;
  for (const FactGroup& group : fact_groups(scaled)) {
    JudgedGroup row{group, mean_fact_error(group, scaled, to),
                    judge.add(with_facts_of(scaled, to, group.facts)), std::nullopt};
    if (mean_fact_error(group, scaled, from) > 1e-9)
      row.unscaled = judge.add(with_facts_of(scaled, from, group.facts));
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<std::string> profile_cells(const std::string& name, const ErrorSummary& e) {
  return {name, percent(e.mean), percent(e.median), percent(e.p90), percent(e.worst)};
}

Json errors_json(const std::string& what, const ErrorSummary& e) {
  return {{"profile", what},
          {"mean", e.mean},
          {"median", e.median},
          {"p90", e.p90},
          {"worst", e.worst}};
}

std::string triple(const ErrorSummary& e) {
  return percent(e.mean) + " / " + percent(e.median) + " / " + percent(e.p90);
}

std::string sheet_text(const GivenFacts& given) {
  std::string text;
  for (const auto& [key, fact] : given) text += " --set " + key + "=" + significant(fact.value, 6);
  return text;
}

}  // namespace

Rendered scaling_table(const DeviceProfile& from, const DeviceProfile& to, const std::string& net,
                       const RunOptions& options) {
  need_cycles(net);
  if (from.name == to.name) {
    fail_usage("--device " + to.name + ": expected another measured GPU than " + from.name +
               ", whose profile is scaled");
  }
  const GivenFacts sheet = sheet_of(to);
  DeviceProfile scaled = scale_device(from, sheet);
  scaled.name = to.name;
  ScalingJudge judge(to, net);
  const std::vector<std::pair<std::string, std::size_t>> whole_profiles{
      {"measured on the " + to.name, judge.add(to)},
      {"scaled from the " + from.name + " by the data sheet", judge.add(scaled)},
      {"that of the " + from.name + ", unscaled", judge.add(from)}};
  const std::vector<JudgedGroup> rows = judged_groups(scaled, from, to, judge);
  judge.run(options);
  Json profiles = Json::array(), groups = Json::array();
  TextTable whole({"profile", "mean %", "median %", "p90 %", "worst %"});
  for (const auto& [name, place] : whole_profiles) {
    whole.add_row(profile_cells(name, judge.errors(place)));
    profiles.push_back(errors_json(name, judge.errors(place)));
  }
  TextTable table({"facts", "count", "off by %", "if not scaled", "if measured"});
  for (const JudgedGroup& row : rows) {
    const ErrorSummary& measured = judge.errors(row.measured);
    table.add_row({row.group.name, std::to_string(row.group.facts.size()), percent(row.off),
                   row.unscaled ? triple(judge.errors(*row.unscaled)) : "the same",
                   triple(measured)});
    groups.push_back({{"facts", row.group.name}, {"off", row.off}, {"if_measured", measured.mean}});
  }
  Rendered out;
  out.text =
      to.title + " as if it had never been measured: " + std::to_string(judge.points()) +
      " warm times, net " + net + "\npnsim device scale " + from.name + sheet_text(sheet) + "\n\n" +
      whole.text(2) +
      "\nOne group of facts at a time (errors: mean / median / p90 in %). off by: mean "
      "difference of the scaled facts from the\nmeasured ones; if not scaled: these facts as "
      "on the " +
      from.name + "; if measured: these facts as measured on the " + to.name + "\n" + table.text(2);
  out.json = Json{{"profiles", profiles}, {"groups", groups}}.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
