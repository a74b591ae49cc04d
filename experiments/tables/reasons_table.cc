#include "experiments/tables/reasons_table.h"

#include <algorithm>
#include <map>
#include <memory>

#include "experiments/tables/reason_groups.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

// A point whose launches are both in the profiler's rows and in a model, in the same order.
struct JudgedPoint {
  const KernelModel* model = nullptr;
  const RecordedPoint* point = nullptr;
  std::vector<std::optional<GroupShares>> profiler;  // [launch]; absent: not recorded
};

// The points with everything that they point to.
struct JudgedRows {
  std::map<std::string, std::unique_ptr<KernelModel>> models;
  std::vector<JudgedPoint> points;
  std::map<std::pair<std::string, std::string>, std::size_t> skipped;  // program, reason -> points
};

struct JudgedLaunch {
  std::string program, kernel;
  Problem problem;
  GroupShares profiler, net;

  bool agrees() const { return first_reason(profiler) == first_reason(net); }
};

// The results for one kernel, or for all launches.
struct ReasonScore {
  std::size_t launches = 0, agree = 0;
  GroupShares profiler, net;  // sums over the launches; divided at the end
  double misplaced = 0;       // sum over the launches; divided at the end

  bool agrees() const { return first_reason(profiler) == first_reason(net); }
};

bool has_stalls(const InputJson& row) {
  const auto kernels = row.find("kernels");
  if (row.value("kind", "") != "counts" || kernels == row.end()) return false;
  return std::any_of(kernels->begin(), kernels->end(),
                     [](const InputJson& kernel) { return kernel.contains("stalls"); });
}

Problem axes_of(const JsonReader& row) {
  Problem out;
  for (const auto& [name, value] : row.at("axes").members()) {
    out[name] = value.integer(0, std::int64_t{1} << 40);
  }
  return out;
}

const KernelModel* model_of(const std::string& program, JudgedRows& judged) {
  const auto it = judged.models.find(program);
  if (it != judged.models.end()) return it->second.get();
  const std::vector<std::string> shipped = shipped_names("models");
  auto& model = judged.models[program];
  if (std::find(shipped.begin(), shipped.end(), program) != shipped.end()) {
    model = std::make_unique<KernelModel>(load_kernel_model(find_data_file(program, {"models"})));
  }
  return model.get();
}

bool is_launch(const JsonReader& kernel, const Launch& launch) {
  return kernel.at("kernel").string() == launch.kernel &&
         kernel.at("grid").integer(1, kMaxTokens) == launch.grid &&
         kernel.at("block").integer(1, kMaxTokens) == launch.block;
}

// Why the row's launches cannot be predicted from the point; "" when they can.
std::string objection(const std::vector<JsonReader>& kernels, const RecordedPoint* point) {
  if (!point) return "its model lacks the point";
  const bool same = std::equal(kernels.begin(), kernels.end(), point->launches.begin(),
                               point->launches.end(), is_launch);
  if (!same) return "its model has other launches than the recorded counts";
  const bool has_programs =
      std::none_of(point->launches.begin(), point->launches.end(),
                   [](const Launch& launch) { return launch.segments.empty(); });
  return has_programs ? "" : "its model has only counts, no warp programs";
}

void add_row(const InputJson& json, JudgedRows& judged) {
  const JsonReader row(json, "counts row " + json.at("id").get<std::string>());
  const std::string program = row.at("program").string();
  const Problem axes = axes_of(row);
  const std::vector<JsonReader> kernels = row.at("kernels").items();
  const KernelModel* const model = model_of(program, judged);
  if (!model) {
    ++judged.skipped[{program, "it has no model"}];
    return;
  }
  const auto point = std::find_if(model->points.begin(), model->points.end(),
                                  [&](const RecordedPoint& p) { return p.problem == axes; });
  JudgedPoint out{model, point == model->points.end() ? nullptr : &*point, {}};
  if (const std::string why = objection(kernels, out.point); !why.empty()) {
    ++judged.skipped[{program, why}];
    return;
  }
  for (const JsonReader& kernel : kernels) {
    const auto stalls = kernel.find("stalls");
    out.profiler.push_back(stalls ? std::optional(shares_of_stalls(*stalls)) : std::nullopt);
  }
  judged.points.push_back(std::move(out));
}

std::string skipped_text(const JudgedRows& judged, const std::string& before) {
  std::string text;
  for (const auto& [what, points] : judged.skipped) {
    text += before + what.first + ": " + what.second + " (" + std::to_string(points) +
            (points == 1 ? " point)" : " points)");
  }
  return text;
}

JudgedRows collect_judged(const RowIndex& rows) {
  JudgedRows out;
  for (const InputJson& row : rows.all()) {
    if (has_stalls(row)) add_row(row, out);
  }
  if (!out.points.empty()) return out;
  fail_unavailable("no recorded launch has stall reasons" + skipped_text(out, "; ") +
                   "; on a machine with that GPU: experiment counts --spec SPEC");
}

// Predicts all points in one call, so that equal launches are simulated once.
std::vector<JudgedLaunch> judge(const JudgedRows& judged, const DeviceProfile& device,
                                const NetTemplate& net, RunOptions options) {
  options.count_reasons = true;
  std::vector<PointRequest> requests;
  for (const JudgedPoint& p : judged.points) {
    requests.push_back({p.model, &net, &device, p.point, {}, {}});
  }
  const std::vector<Prediction> predicted = predict(requests, options);
  std::vector<JudgedLaunch> out;
  for (std::size_t p = 0; p < predicted.size(); ++p) {
    const JudgedPoint& point = judged.points[p];
    for (std::size_t i = 0; i < point.profiler.size(); ++i) {
      if (!point.profiler[i]) continue;
      const LaunchPrediction& launch = predicted[p].launches[i];
      const LaunchReasons of{&point.point->launches[i], &device, launch.reasons,
                             static_cast<double>(launch.steps.size())};
      out.push_back({point.model->name, launch.kernel, point.point->problem, *point.profiler[i],
                     shares_of_rows(net.name, reasons_of(net, std::vector{of}))});
    }
  }
  return out;
}

void add_shares(GroupShares& sum, const GroupShares& more) {
  sum.resize(more.size());
  for (std::size_t g = 0; g < more.size(); ++g) sum[g] += more[g];
}

// Means over the launches; key: (program, kernel).
using Scores = std::map<std::pair<std::string, std::string>, ReasonScore>;

void add_launch(ReasonScore& score, const JudgedLaunch& launch) {
  ++score.launches;
  score.agree += launch.agrees() ? 1 : 0;
  score.misplaced += misplaced(launch.profiler, launch.net);
  add_shares(score.profiler, launch.profiler);
  add_shares(score.net, launch.net);
}

void divide(ReasonScore& score) {
  const auto launches = static_cast<double>(score.launches);
  score.misplaced /= launches;
  for (GroupShares* shares : {&score.profiler, &score.net}) {
    for (double& share : *shares) share /= launches;
  }
}

std::string percent_text(double share) { return fixed(100 * share, 1); }

std::vector<std::string> score_cells(const std::string& program, const std::string& kernel,
                                     const ReasonScore& s) {
  const auto first = first_reason(s.profiler), of_net = first_reason(s.net);
  return {program,
          kernel,
          std::to_string(s.launches),
          reason_name(first),
          first ? percent_text(s.profiler[*first]) : "-",
          reason_name(of_net),
          of_net ? percent_text(s.net[*of_net]) : "-",
          std::to_string(s.agree),
          percent_text(s.misplaced)};
}

// [reason_groups()] number of launches in which the group is the first reason.
struct FirstCounts {
  std::vector<std::size_t> profiler, net, both;

  explicit FirstCounts(const std::vector<JudgedLaunch>& launches)
      : profiler(reason_groups().size()), net(profiler), both(profiler) {
    for (const JudgedLaunch& launch : launches) {
      const auto first = first_reason(launch.profiler), of_net = first_reason(launch.net);
      if (first) ++profiler[*first];
      if (of_net) ++net[*of_net];
      if (first && first == of_net) ++both[*first];
    }
  }
  // A baseline without knowledge of the launch: always the most frequent first reason.
  std::size_t most_frequent() const {
    return static_cast<std::size_t>(std::max_element(profiler.begin(), profiler.end()) -
                                    profiler.begin());
  }
};

// By group: the mean shares over all launches, and the launches in which it is the first reason.
std::string groups_text(const ReasonScore& all, const FirstCounts& first) {
  TextTable table({"reason", "profiler %", "net %", "first: profiler", "net", "both"});
  for (std::size_t g = 0; g < reason_groups().size(); ++g) {
    table.add_row({std::string(reason_groups()[g].name), percent_text(all.profiler[g]),
                   percent_text(all.net[g]), std::to_string(first.profiler[g]),
                   std::to_string(first.net[g]), std::to_string(first.both[g])});
  }
  return table.text(2);
}

Json shares_json(const GroupShares& shares) {
  Json out;
  for (std::size_t g = 0; g < shares.size(); ++g) {
    out[std::string(reason_groups()[g].name)] = shares[g];
  }
  return out;
}

Json first_json(const GroupShares& shares) {
  const auto first = first_reason(shares);
  return first ? Json(std::string(reason_groups()[*first].name)) : Json(nullptr);
}

Json score_json(const ReasonScore& s) {
  return {{"launches", s.launches},         {"agree", s.agree},
          {"misplaced", s.misplaced},       {"profiler_first", first_json(s.profiler)},
          {"net_first", first_json(s.net)}, {"profiler", shares_json(s.profiler)},
          {"net", shares_json(s.net)}};
}

Json launches_json(const std::vector<JudgedLaunch>& launches) {
  Json out = Json::array();
  for (const JudgedLaunch& launch : launches) {
    out.push_back({{"program", launch.program},
                   {"problem", launch.problem},
                   {"kernel", launch.kernel},
                   {"misplaced", misplaced(launch.profiler, launch.net)},
                   {"profiler_first", first_json(launch.profiler)},
                   {"net_first", first_json(launch.net)},
                   {"profiler", shares_json(launch.profiler)},
                   {"net", shares_json(launch.net)}});
  }
  return out;
}

Json table_json(const Scores& scores, const ReasonScore& all, const JudgedRows& judged,
                const std::vector<JudgedLaunch>& launches) {
  const FirstCounts first(launches);
  Json out;
  out["kernels"] = Json::array();
  std::size_t agree = 0;
  for (const auto& [key, score] : scores) {
    Json row = {{"program", key.first}, {"kernel", key.second}};
    row.update(score_json(score));
    out["kernels"].push_back(std::move(row));
    agree += score.agrees() ? 1 : 0;
  }
  out["all"] = score_json(all);
  out["all"]["kernels"] = scores.size();
  out["all"]["kernels_agree"] = agree;
  out["all"]["most_frequent_first"] = reason_name(first.most_frequent());
  out["all"]["most_frequent_agrees"] = first.profiler[first.most_frequent()];
  out["left_out"] = Json::array();
  for (const auto& [what, points] : judged.skipped) {
    out["left_out"].push_back({{"program", what.first}, {"points", points}, {"why", what.second}});
  }
  out["launches"] = launches_json(launches);
  return out;
}

std::string total_text(const Scores& scores, const ReasonScore& all, const FirstCounts& first) {
  const auto agree = std::count_if(scores.begin(), scores.end(),
                                   [](const auto& row) { return row.second.agrees(); });
  return "\nThe first reason agrees in " + std::to_string(all.agree) + " of " +
         std::to_string(all.launches) + " launches, in " + std::to_string(agree) + " of " +
         std::to_string(scores.size()) + " kernels; always naming \"" +
         reason_name(first.most_frequent()) + "\" would agree in " +
         std::to_string(first.profiler[first.most_frequent()]) + " launches.\n" +
         percent_text(all.misplaced) + " % of the warps' cycles are misplaced on average.\n";
}

}  // namespace

Rendered reasons_table(const RowIndex& rows, const DeviceProfile& device, const NetTemplate& net,
                       const RunOptions& options) {
  const JudgedRows judged = collect_judged(rows);
  const std::vector<JudgedLaunch> launches = judge(judged, device, net, options);
  Scores scores;
  ReasonScore all;
  for (const JudgedLaunch& launch : launches) {
    add_launch(scores[{launch.program, launch.kernel}], launch);
    add_launch(all, launch);
  }
  divide(all);
  TextTable table({"program", "kernel", "launches", "profiler: first", "%", "net: first", "%",
                   "agree in", "misplaced %"});
  for (auto& [key, score] : scores) {
    divide(score);
    table.add_row(score_cells(key.first, key.second, score));
  }
  const FirstCounts first(launches);
  const std::string skipped = skipped_text(judged, "\n  ");
  return {
      "What warps wait for: the profiler's stall reasons beside the net " + net.name + "'s (" +
          device.described() +
          ")\nfirst: the reason of most waiting and its share of the warps' cycles, by the mean "
          "shares "
          "over the launches; agree in: launches in which\nboth name the same first reason; "
          "misplaced: cycles that would have to move to another reason, mean over the launches.\n"
          "The profiler observed one launch; the net predicts launches back to back\n\n" +
          table.text(2) + total_text(scores, all, first) + "\n" + groups_text(all, first) +
          (skipped.empty() ? "" : "\nSkipped:" + skipped + "\n"),
      table_json(scores, all, judged, launches).dump(1) + "\n", ""};
}

}  // namespace pnsim::experiments
