#include "experiments/validate/device_tables.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/validation_figures.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

using Positions = std::vector<std::size_t>;

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

// The errors of `us` [point] at the chosen points.
void add_figures_row(const Cross& cross, const std::vector<double>& us, const std::string& which,
                     const Positions& chosen, TextTable& table, Json& json) {
  const PredictorFigures f = figures_of(cross.set.points, us, chosen);
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

struct Scaled {
  Positions points;        // of `cross` that `own` has, too
  std::vector<double> us;  // [point of `cross`]
};

// Times on the GPU of `cross`: those measured on the GPU of `own`, where the counts are from, times
// the ratio of the predictions.
Scaled scaled_from(const Cross& own, const Cross& cross) {
  std::map<std::string, double> measured_over_predicted;  // by key()
  for (std::size_t i = 0; i < own.us.size(); ++i)
    measured_over_predicted[own.key(i)] = own.set.points[i].measured_us() / own.us[i];
  Scaled out{{}, cross.us};
  for (std::size_t i = 0; i < cross.us.size(); ++i) {
    const auto factor = measured_over_predicted.find(cross.key(i));
    if (factor == measured_over_predicted.end()) continue;
    out.us[i] *= factor->second;
    out.points.push_back(i);
  }
  return out;
}

void add_scaled_rows(const std::vector<Cross>& crosses, TextTable& table, Json& json) {
  for (const Cross& cross : crosses) {
    const auto own = std::find_if(crosses.begin(), crosses.end(), [&](const Cross& other) {
      return other.counts.folder == cross.counts.folder && other.device == cross.counts.device;
    });
    if (cross.device == cross.counts.device || own == crosses.end()) continue;
    const Scaled scaled = scaled_from(*own, cross);
    add_figures_row(cross, scaled.us, "all, from the time on the " + cross.counts.device,
                    scaled.points, table, json);
  }
}

std::string overall_table(const std::vector<Cross>& crosses, Json& json) {
  TextTable table({"counts from", "predicted and measured on", "points of", "points", "mean %",
                   "median %", "p90 %", "worst %", "pairs", "ranked correctly %"});
  for (const Cross& cross : crosses)
    add_figures_row(cross, cross.us, "all", cross.all(), table, json);
  const std::set<std::string> common = common_points(crosses);
  const bool has_several = crosses.front().counts.folder != crosses.back().counts.folder;
  for (const Cross& cross : crosses) {
    if (common.empty() || !has_several) break;
    Positions chosen = cross.all();
    std::erase_if(chosen, [&](std::size_t i) { return !common.contains(cross.key(i)); });
    add_figures_row(cross, cross.us, "those profiled on both", chosen, table, json);
  }
  add_scaled_rows(crosses, table, json);
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

}  // namespace

std::vector<Spec> all_specs() {
  std::vector<Spec> specs;
  for (const std::string& name : shipped_names("experiments/specs")) {
    specs.push_back(load_spec(name));
  }
  return specs;
}

void need_cycles(const std::string& net) {
  if (load_net(net).step_is_cycle) return;
  fail_usage("--net " + net +
             ": its steps have no unit, so no time is predicted without a fit; "
             "use --net sm");
}

Rendered devices_table(const std::string& net, const RunOptions& options) {
  need_cycles(net);
  const std::vector<Cross> crosses = predict_across(net, options);
  Json overall = Json::array(), programs = Json::array();
  Rendered out;
  out.text =
      "Across GPUs: net " + net +
      ", warm times, nothing fitted. \"h200 -> h100\": counts profiled on the h200, predicted "
      "for and measured on the h100.\n"
      "from the time on the h200: the time measured there, times the ratio of the predictions\n\n" +
      overall_table(crosses, overall) +
      "\nMean error in % by program, the largest across GPUs first\n" +
      programs_table(crosses, programs) + skipped_of(crosses);
  out.json = Json{{"overall", overall}, {"programs", programs}}.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
