#include "experiments/tables/launch_shape_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/sweep/best_blocks.h"
#include "simulator/base/csv.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/launch/launch_shape.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim::experiments {
namespace {

// Axes that determine the shape of a launch. The points of a problem differ in one of them.
constexpr const char* kShapeAxes[] = {kBlockAxis, "tile"};

struct Measured {
  const RecordedPoint* point = nullptr;
  double us = 0;
};

// The same work in blocks of different sizes.
struct Work {
  const KernelModel* model = nullptr;
  std::vector<Measured> shapes;  // at least two, by block
};

struct Judged {
  std::vector<std::unique_ptr<KernelModel>> models;
  std::vector<Work> problems;
  std::map<std::string, std::string> skipped;  // skipped programs: program -> reason
};

// The predicted steps of each block size from each recorded one: steps[from][to].
struct Forecast {
  std::vector<std::vector<double>> steps;
};

// The results for one program or for all. Each problem and block size to start from has one entry.
struct Score {
  std::size_t problems = 0;
  std::vector<double> lost;       // time of the chosen block size / best time - 1
  std::vector<double> kept;       // time of the block size started from / best time - 1
  std::vector<double> at_random;  // share of the block sizes that are good enough
  std::vector<double> own_lost;   // as `lost`, for the choice from recorded launches of all sizes
  std::vector<double> error, own_error;  // of times: other block sizes; recorded launches
};

bool can_be_walked(const RecordedPoint& point) {
  return std::none_of(point.launches.begin(), point.launches.end(),
                      [](const Launch& launch) { return launch.segments.empty(); });
}

// Groups the points of a model by the work that they do.
std::map<Problem, std::vector<Measured>> by_work(const KernelModel& model,
                                                 const RecordedResults& recorded) {
  std::map<Problem, std::vector<Measured>> out;
  for (const RecordedPoint& point : model.points) {
    const auto time = recorded.time(model.name, point.problem);
    if (!time || !block_of(point)) continue;
    Problem work = point.problem;
    for (const char* axis : kShapeAxes) work.erase(axis);
    out[work].push_back({&point, time->median_us});
  }
  for (auto& [work, shapes] : out) {
    std::stable_sort(shapes.begin(), shapes.end(), [](const Measured& a, const Measured& b) {
      return block_of(*a.point) < block_of(*b.point);
    });
  }
  return out;
}

// Why these points cannot be reshaped into each other; "" when they can.
std::string objection(const std::vector<Measured>& shapes, const NetTemplate& net) {
  for (const Measured& shape : shapes) {
    if (walks_programs(net) && !can_be_walked(*shape.point)) {
      return "its model has only counts, no warp programs";
    }
    if (!same_threads(*shapes.front().point, *shape.point)) {
      return "its number of threads depends on the block size";
    }
    if (!same_kernels(*shapes.front().point, *shape.point)) {
      return "its kernel is compiled for one block size";
    }
  }
  return "";
}

void add_problems(const KernelModel& model, const RecordedResults& recorded, const NetTemplate& net,
                  Judged& out) {
  std::string why = "its recorded times have one block size per problem";
  bool any = false;
  for (auto& [work, shapes] : by_work(model, recorded)) {
    if (block_of(*shapes.front().point) == block_of(*shapes.back().point)) continue;
    why = objection(shapes, net);
    if (!why.empty()) continue;
    out.problems.push_back({&model, std::move(shapes)});
    any = true;
  }
  if (!any) out.skipped[model.name] = why;
}

Judged collect(const RecordedResults& recorded, const NetTemplate& net) {
  Judged out;
  for (const std::string& name : shipped_names("models")) {
    out.models.push_back(
        std::make_unique<KernelModel>(load_kernel_model(find_data_file(name, {"models"}))));
    add_problems(*out.models.back(), recorded, net, out);
  }
  if (!out.problems.empty()) return out;
  std::string text = "no program is recorded in several block sizes with equal numbers of threads";
  for (const auto& [program, reason] : out.skipped) text += "; " + program + ": " + reason;
  fail_unavailable(text);
}

// Predicts all problems in one call, so that equal launches are simulated once.
std::vector<Forecast> forecast(const Judged& judged, const DeviceProfile& device,
                               const NetTemplate& net, const RunOptions& options) {
  std::vector<std::unique_ptr<RecordedPoint>> points;
  std::vector<PointRequest> requests;
  for (const Work& work : judged.problems) {
    for (const Measured& from : work.shapes) {
      for (const Measured& to : work.shapes) {
        points.push_back(std::make_unique<RecordedPoint>(
            from.point == to.point ? *from.point
                                   : reshape_point(*from.point, *block_of(*to.point), device)));
        requests.push_back({work.model, &net, &device, points.back().get(), {}, {}});
      }
    }
  }
  const std::vector<Prediction> predicted = predict(requests, options);
  std::vector<Forecast> out;
  std::size_t next = 0;
  for (const Work& work : judged.problems) {
    const std::size_t n = work.shapes.size();
    out.push_back({std::vector(n, std::vector<double>(n))});
    for (std::vector<double>& of_from : out.back().steps) {
      for (double& steps : of_from) steps = predicted[next++].mean_steps_at_device_clock();
    }
  }
  return out;
}

// Adds the predictions from the recorded block sizes for which counts(point) holds.
template <class Counts>
void add_to(Score& score, const Work& work, const Forecast& forecast, double us_per_step,
            const Counts& counts) {
  const std::size_t n = work.shapes.size();
  std::vector<double> us, as_recorded;
  for (std::size_t i = 0; i < n; ++i) {
    us.push_back(work.shapes[i].us);
    as_recorded.push_back(forecast.steps[i][i]);
  }
  const double best = *std::min_element(us.begin(), us.end());
  const auto lost = [&](std::size_t block) { return us[block] / best - 1; };
  double good = 0;
  for (std::size_t i = 0; i < n; ++i) good += lost(i) <= kGoodEnough ? 1 : 0;
  bool any = false;
  for (std::size_t from = 0; from < n; ++from) {
    if (!counts(*work.shapes[from].point)) continue;
    any = true;
    score.lost.push_back(lost(first_of_the_least(forecast.steps[from])));
    score.kept.push_back(lost(from));
    score.at_random.push_back(good / static_cast<double>(n));
    score.own_lost.push_back(lost(first_of_the_least(as_recorded)));
    for (std::size_t to = 0; to < n; ++to) {
      const double error = std::abs(forecast.steps[from][to] * us_per_step - us[to]) / us[to];
      (from == to ? score.own_error : score.error).push_back(error);
    }
  }
  score.problems += any ? 1 : 0;
}

double share(const std::vector<double>& lost, double limit) {
  const auto good = std::count_if(lost.begin(), lost.end(), [&](double l) { return l <= limit; });
  return static_cast<double>(good) / static_cast<double>(lost.size());
}

std::string percent_of(double share) { return fixed(100 * share, 1); }

void add_score(const std::string& program, const Score& s, bool has_times, TextTable& table,
               Json& json) {
  if (s.lost.empty()) return;
  const double error = has_times ? mean(s.error) : NAN;
  const double own_error = has_times ? mean(s.own_error) : NAN;
  table.add_row({program, std::to_string(s.problems), std::to_string(s.lost.size()),
                 percent_of(share(s.lost, 0)), percent_of(share(s.lost, kGoodEnough)),
                 percent_of(share(s.own_lost, kGoodEnough)), percent_of(mean(s.at_random)),
                 percent_of(mean(s.lost)),
                 percent_of(*std::max_element(s.lost.begin(), s.lost.end())),
                 percent_of(mean(s.kept)), percent_of(error), percent_of(own_error)});
  Json row{{"program", program},
           {"problems", s.problems},
           {"predictions", s.lost.size()},
           {"best", share(s.lost, 0)},
           {"within_3_percent", share(s.lost, kGoodEnough)},
           {"as_recorded_within_3_percent", share(s.own_lost, kGoodEnough)},
           {"at_random_within_3_percent", mean(s.at_random)},
           {"lost_mean", mean(s.lost)},
           {"lost_worst", *std::max_element(s.lost.begin(), s.lost.end())},
           {"lost_when_kept", mean(s.kept)},
           {"error", nullptr},
           {"as_recorded_error", nullptr}};
  if (has_times) {
    row["error"] = error;
    row["as_recorded_error"] = own_error;
  }
  json.push_back(std::move(row));
}

// One row per prediction: the time of `block` from the profile of `profiled_block`.
void add_rows(const Work& work, const Forecast& forecast, double us_per_step, std::string& csv) {
  const auto us_text = [](double us) { return us > 0 ? significant(us, 6) : ""; };
  for (std::size_t from = 0; from < work.shapes.size(); ++from) {
    Problem problem = work.shapes[from].point->problem;
    for (const char* axis : kShapeAxes) problem.erase(axis);
    for (std::size_t to = 0; to < work.shapes.size(); ++to) {
      const double steps = forecast.steps[from][to];
      csv += csv_line({work.model->name, problem_text(problem),
                       std::to_string(*block_of(*work.shapes[from].point)),
                       std::to_string(*block_of(*work.shapes[to].point)),
                       from == to ? "recorded" : "what-if", significant(steps, 8),
                       us_text(steps * us_per_step), us_text(work.shapes[to].us)});
    }
  }
}

std::string skipped_text(const Judged& judged) {
  std::string text;
  for (const auto& [program, why] : judged.skipped) {
    text += "  " + program + ": " + why + "\n";
  }
  return text.empty() ? "" : "\nSkipped:\n" + text;
}

}  // namespace

Rendered launch_shape_table(const RecordedResults& recorded, const DeviceProfile& device,
                            const NetTemplate& net, const RunOptions& options) {
  const Judged judged = collect(recorded, net);
  const std::vector<Forecast> forecasts = forecast(judged, device, net, options);
  const double us_per_step = net.step_is_cycle ? 1 / device.positive("clock_mhz") : 0;
  std::map<std::string, Score> scores;
  Score all, sure, not_sure;
  const auto every = [](const RecordedPoint&) { return true; };
  const auto is_sure_from = [](const RecordedPoint& from) { return is_sure(what_if_basis(from)); };
  const auto is_not_sure_from = [&](const RecordedPoint& from) { return !is_sure_from(from); };
  std::string csv = "program,problem,profiled_block,block,source,steps,predicted_us,measured_us\n";
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const std::string& program = judged.problems[i].model->name;
    const auto add = [&](Score& score, const auto& counts) {
      add_to(score, judged.problems[i], forecasts[i], us_per_step, counts);
    };
    add(scores[program], every);
    add(all, every);
    add(sure, is_sure_from);
    add(not_sure, is_not_sure_from);
    add_rows(judged.problems[i], forecasts[i], us_per_step, csv);
  }
  TextTable table({"program", "problems", "predictions", "best %", "within 3 %", "as recorded",
                   "at random", "lost %", "worst", "kept", "error %", "as recorded"});
  Json json = Json::array();
  for (const auto& [program, score] : scores) {
    add_score(program, score, net.step_is_cycle, table, json);
  }
  add_score("all", all, net.step_is_cycle, table, json);
  add_score("all: sure", sure, net.step_is_cycle, table, json);
  add_score("all: not sure", not_sure, net.step_is_cycle, table, json);
  return {
      "The best block size, predicted by " + net.name + " from a launch of one size (" +
          device.described() + ", warm times)\n" +
          "best, within 3 %: the predicted best size (the smallest within 0.5 %) is the measured "
          "best, or takes at most 3 % longer;\nas recorded: the same, predicted from recorded "
          "launches of all sizes; lost: time of the chosen size over the best one's;\nkept: that "
          "of "
          "the size started from; error: of the times of other sizes, and of recorded "
          "launches;\nnot sure: square tiles, or data-dependent trip counts\n\n" +
          table.text(2) + skipped_text(judged),
      json.dump(1) + "\n", std::move(csv)};
}

}  // namespace pnsim::experiments
