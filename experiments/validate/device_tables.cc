#include "experiments/validate/device_tables.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/validation_figures.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/device/scale.h"

namespace pnsim::experiments {
namespace {

using Positions = std::vector<std::size_t>;

std::vector<Spec> all_specs() {
  std::vector<Spec> specs;
  for (const std::string& name : shipped_names("experiments/specs")) {
    specs.push_back(load_spec(name));
  }
  return specs;
}

// Kernel models that were profiled on one GPU.
struct CountsSource {
  std::string device;  // "h200"
  std::string folder;  // "models", or "results/h100/models"
};

std::vector<std::string> devices_with_times() {
  std::vector<std::string> out;
  for (const std::string& name : shipped_names("models/devices")) {
    const std::vector<InputJson> rows = recorded_rows(name);
    if (std::any_of(rows.begin(), rows.end(),
                    [](const InputJson& row) { return row.value("kind", "") == "time"; }))
      out.push_back(name);
  }
  return out;
}

std::vector<CountsSource> counts_sources() {
  std::vector<CountsSource> out;
  const std::vector<std::string> models = shipped_names("models");
  if (models.empty()) fail_unavailable("no kernel model is shipped: experiment counts");
  out.push_back(
      {load_kernel_model(data_root() + "/models/" + models.front() + ".json").device, "models"});
  for (const std::string& device : shipped_names("models/devices")) {
    const std::string folder = "results/" + device + "/models";
    if (!shipped_names(folder).empty()) out.push_back({device, folder});
  }
  return out;
}

std::vector<double> predicted_us(const ValidationSet& set, const std::string& net,
                                 const RunOptions& options) {
  const Predictor predictor = make_predictors({{net}, false, options}, set).front();
  return predictor.predict(set.points).us;
}

void need_cycles(const std::string& net) {
  if (load_net(net).step_is_cycle) return;
  fail_usage("--net " + net +
             ": its steps have no unit, so no time is predicted without a fit; "
             "use --net sm");
}

// One GPU's counts, predicted for another GPU and compared with its times.
struct Cross {
  CountsSource counts;
  std::string device;
  ValidationSet set;
  std::vector<double> us;

  std::string name() const { return counts.device + " -> " + device; }
  std::string key(std::size_t i) const { return set.points[i].program + " " + set.points[i].at; }
  Positions all() const {
    Positions out(set.points.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
};

std::vector<Cross> predict_across(const std::string& net, const RunOptions& options) {
  std::vector<Cross> out;
  const std::vector<Spec> specs = all_specs();
  for (const CountsSource& counts : counts_sources()) {
    for (const std::string& device : devices_with_times()) {
      Cross cross{counts, device, {}, {}};
      cross.set = collect_points(specs, load_device_profile(device), RecordedResults(device),
                                 {"warm"}, counts.folder);
      spdlog::info("{}: {} points", cross.name(), cross.set.points.size());
      cross.us = predicted_us(cross.set, net, options);
      out.push_back(std::move(cross));
    }
  }
  return out;
}

// The keys of points that are in all of them.
std::set<std::string> common_points(const std::vector<Cross>& crosses) {
  std::map<std::string, std::size_t> times;
  for (const Cross& cross : crosses) {
    for (std::size_t i = 0; i < cross.set.points.size(); ++i) ++times[cross.key(i)];
  }
  std::set<std::string> out;
  for (const auto& [key, count] : times) {
    if (count == crosses.size()) out.insert(key);
  }
  return out;
}

void add_figures_row(const Cross& cross, const std::string& which, const Positions& chosen,
                     TextTable& table, Json& json) {
  const PredictorFigures f = figures_of(cross.set.points, cross.us, chosen);
  table.add_row({cross.counts.device, cross.device, which, std::to_string(f.errors.points),
                 percent(f.errors.mean), percent(f.errors.median), percent(f.errors.p90),
                 percent(f.errors.worst), std::to_string(f.pairs.pairs), percent(f.pairs.share())});
  json.push_back({{"counts_from", cross.counts.device},
                  {"predicted_for", cross.device},
                  {"which", which},
                  {"points", f.errors.points},
                  {"mean", f.errors.mean},
                  {"median", f.errors.median},
                  {"p90", f.errors.p90},
                  {"worst", f.errors.worst},
                  {"pairs", f.pairs.pairs},
                  {"pairs_right", f.pairs.correct}});
}

std::string overall_table(const std::vector<Cross>& crosses, Json& json) {
  TextTable table({"counts from", "predicted and measured on", "points of", "points", "mean %",
                   "median %", "p90 %", "worst %", "pairs", "ranked correctly %"});
  for (const Cross& cross : crosses) add_figures_row(cross, "all", cross.all(), table, json);
  const std::set<std::string> common = common_points(crosses);
  const bool has_several = crosses.front().counts.folder != crosses.back().counts.folder;
  for (const Cross& cross : crosses) {
    if (common.empty() || !has_several) break;
    Positions chosen = cross.all();
    std::erase_if(chosen, [&](std::size_t i) { return !common.contains(cross.key(i)); });
    add_figures_row(cross, "those profiled on both", chosen, table, json);
  }
  return table.text(2);
}

// Mean error of each program; the largest error across GPUs first.
std::string programs_table(const std::vector<Cross>& crosses, Json& json) {
  std::vector<std::string> header{"program"};
  std::map<std::string, std::vector<std::string>> cells;
  std::map<std::string, double> worst_across;
  for (std::size_t c = 0; c < crosses.size(); ++c) {
    const Cross& cross = crosses[c];
    header.insert(header.end(), {"points", cross.name()});
    std::map<std::string, Positions> programs;
    for (const std::size_t i : cross.all()) programs[cross.set.points[i].program].push_back(i);
    for (const auto& [program, chosen] : programs) {
      const double mean = figures_of(cross.set.points, cross.us, chosen).errors.mean;
      std::vector<std::string>& row = cells[program];
      row.resize(2 * c, "-");
      row.insert(row.end(), {std::to_string(chosen.size()), percent(mean)});
      if (cross.counts.device != cross.device)
        worst_across[program] = std::max(worst_across[program], mean);
      json.push_back({{"program", program},
                      {"counts_from", cross.counts.device},
                      {"predicted_for", cross.device},
                      {"points", chosen.size()},
                      {"mean", mean}});
    }
  }
  std::vector<std::string> order;
  for (const auto& [program, row] : cells) order.push_back(program);
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    return worst_across[a] > worst_across[b];
  });
  TextTable table(header);
  for (const std::string& program : order) {
    std::vector<std::string> row{program};
    cells[program].resize(2 * crosses.size(), "-");
    row.insert(row.end(), cells[program].begin(), cells[program].end());
    table.add_row(std::move(row));
  }
  return table.text(2);
}

std::string skipped_of(const std::vector<Cross>& crosses) {
  std::string text;
  for (const Cross& cross : crosses) {
    std::size_t points = 0;
    for (const SkippedPoints& row : cross.set.skipped) points += row.points;
    if (points > 0) {
      text += "  " + cross.name() + ": " + std::to_string(points) + " points of " +
              std::to_string(cross.set.skipped.size()) +
              " programs have no counts or no time and are skipped\n";
    }
  }
  return text;
}

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

class ScalingJudge {
 public:
  ScalingJudge(const DeviceProfile& to, std::string net, const RunOptions& options)
      : net_(std::move(net)),
        options_(options),
        set_(collect_points(all_specs(), to, RecordedResults(to.name), {"warm"})) {}

  ErrorSummary errors(const DeviceProfile& profile) {
    set_.device = profile;
    Positions all(set_.points.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return figures_of(set_.points, predicted_us(set_, net_, options_), all).errors;
  }

  std::size_t points() const { return set_.points.size(); }

 private:
  std::string net_;
  RunOptions options_;
  ValidationSet set_;
};

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

Rendered devices_table(const std::string& net, const RunOptions& options) {
  need_cycles(net);
  const std::vector<Cross> crosses = predict_across(net, options);
  Json overall = Json::array(), programs = Json::array();
  Rendered out;
  out.text =
      "Across GPUs: net " + net +
      ", warm times, nothing fitted. \"h200 -> h100\": counts profiled on the h200, predicted "
      "for and measured on the h100\n\n" +
      overall_table(crosses, overall) +
      "\nMean error in % by program, the largest across GPUs first\n" +
      programs_table(crosses, programs) + skipped_of(crosses);
  out.json = Json{{"overall", overall}, {"programs", programs}}.dump(1) + "\n";
  return out;
}

Rendered scaling_table(const DeviceProfile& from, const DeviceProfile& to, const std::string& net,
                       const RunOptions& options) {
  need_cycles(net);
  if (from.name == to.name) {
    fail_usage("--device " + to.name + ": expected another measured GPU than " + from.name +
               ", whose profile is scaled");
  }
  const GivenFacts sheet = sheet_of(to);
  const DeviceProfile scaled = scale_device(from, sheet);
  ScalingJudge judge(to, net, options);
  Json profiles = Json::array(), groups = Json::array();
  TextTable whole({"profile", "mean %", "median %", "p90 %", "worst %"});
  const auto add_profile = [&](const std::string& name, const DeviceProfile& profile) {
    spdlog::info("{}", name);
    const ErrorSummary e = judge.errors(profile);
    whole.add_row(profile_cells(name, e));
    profiles.push_back(errors_json(name, e));
  };
  add_profile("measured on the " + to.name, to);
  add_profile("scaled from the " + from.name + " by the data sheet", scaled);
  add_profile("that of the " + from.name + ", unscaled", from);
  TextTable table({"facts", "count", "off by %", "if not scaled", "if measured"});
  for (const FactGroup& group : fact_groups(scaled)) {
    spdlog::info("{}", group.name);
    const double off = mean_fact_error(group, scaled, to);
    const ErrorSummary measured = judge.errors(with_facts_of(scaled, to, group.facts));
    // Facts that the data sheet leaves as they are need no other run.
    const bool is_same = mean_fact_error(group, scaled, from) < 1e-9;
    const std::string unscaled =
        is_same ? "the same" : triple(judge.errors(with_facts_of(scaled, from, group.facts)));
    table.add_row(
        {group.name, std::to_string(group.facts.size()), percent(off), unscaled, triple(measured)});
    groups.push_back({{"facts", group.name}, {"off", off}, {"if_measured", measured.mean}});
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
