#include "experiments/tables/rank_table.h"

#include <algorithm>
#include <map>
#include <memory>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/questions/ranking.h"
#include "simulator/base/csv.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/launch/launch_shape.h"
#include "simulator/model/sm/sm_parameters.h"

namespace pnsim::experiments {
namespace {

constexpr std::size_t kMost = 4;  // first configurations

// The same work in several configurations.
struct RankedProblem {
  const KernelModel* model = nullptr;
  std::vector<const RecordedPoint*> points;
  std::vector<double> measured_us;  // [point]
};

struct RankedPrograms {
  std::vector<std::unique_ptr<KernelModel>> models;
  std::vector<RankedProblem> problems;
};

// [k - 1] the share of the best speed kept by the first k, one entry a problem.
struct Kept {
  std::vector<std::vector<double>> first = std::vector<std::vector<double>>(kMost);
  std::vector<double> at_random;  // mean over the configurations of the problem
  std::vector<double> configurations;
};

void add_ranked_problems(const KernelModel& model, const RecordedResults& recorded,
                         const NetTemplate& net, RankedPrograms& out) {
  std::map<Problem, RankedProblem> by_work;
  for (const RecordedPoint& point : model.points) {
    const auto time = recorded.time(model.name, point.problem);
    if (!time || (walks_programs(net) && !has_programs(point))) continue;
    RankedProblem& problem = by_work[work_of(point.problem)];
    problem.model = &model;
    problem.points.push_back(&point);
    problem.measured_us.push_back(time->median_us);
  }
  for (auto& [work, problem] : by_work) {
    if (problem.points.size() >= 2) out.problems.push_back(std::move(problem));
  }
}

RankedPrograms ranked_programs(const RecordedResults& recorded, const NetTemplate& net) {
  RankedPrograms out;
  for (const std::string& name : shipped_names("models")) {
    out.models.push_back(
        std::make_unique<KernelModel>(load_kernel_model(find_data_file(name, {"models"}))));
    add_ranked_problems(*out.models.back(), recorded, net, out);
  }
  if (out.problems.empty()) {
    fail_unavailable("no program has measured times of several configurations of one problem on " +
                     recorded.device() + "; `experiment measure` records them");
  }
  return out;
}

void add_kept(const RankedProblem& problem, std::span<const Prediction> predicted, Kept& kept) {
  std::vector<std::size_t> order(problem.points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return predicted[a].mean_steps_at_device_clock() < predicted[b].mean_steps_at_device_clock();
  });
  std::vector<double> measured;
  for (const std::size_t i : order) measured.push_back(problem.measured_us[i]);
  const std::vector<double> of_first = kept_of_best(measured);
  for (std::size_t k = 0; k < kMost; ++k) {
    kept.first[k].push_back(of_first[std::min(k, of_first.size() - 1)]);
  }
  const double best = *std::min_element(measured.begin(), measured.end());
  double sum = 0;
  for (const double us : measured) sum += best / us;
  kept.at_random.push_back(sum / static_cast<double>(measured.size()));
  kept.configurations.push_back(static_cast<double>(measured.size()));
}

std::vector<double> figures_of(const Kept& kept) {
  std::vector<double> out;
  for (const auto& first : kept.first) out.push_back(100 * mean(first));
  out.push_back(100 * *std::min_element(kept.first[0].begin(), kept.first[0].end()));
  out.push_back(100 * mean(kept.at_random));
  return out;
}

const std::vector<std::string> kColumns{"program",   "problems",    "configurations",
                                        "first 1 %", "first 2",     "first 3",
                                        "first 4",   "worst first", "at random"};

}  // namespace

Rendered rank_table(const RecordedResults& recorded, const DeviceProfile& device,
                    const NetTemplate& net, const RunOptions& options) {
  const RankedPrograms programs = ranked_programs(recorded, net);
  std::vector<PointRequest> requests;
  for (const RankedProblem& problem : programs.problems) {
    for (const RecordedPoint* point : problem.points) {
      requests.push_back({problem.model, &net, &device, point, {}, {}});
    }
  }
  const std::vector<Prediction> predicted = predict(requests, options);
  std::map<std::string, Kept> by_program;
  Kept all;
  std::size_t next = 0;
  for (const RankedProblem& problem : programs.problems) {
    const std::span mine(predicted.data() + next, problem.points.size());
    next += problem.points.size();
    add_kept(problem, mine, by_program[problem.model->name]);
    add_kept(problem, mine, all);
  }
  TextTable table(kColumns);
  Json json = Json::array();
  std::string csv = csv_line(kColumns);
  const auto add = [&](const std::string& program, const Kept& kept) {
    std::vector<std::string> cells{program, std::to_string(kept.configurations.size()),
                                   fixed(mean(kept.configurations), 1)};
    Json row{{"program", program},
             {"problems", kept.configurations.size()},
             {"configurations", mean(kept.configurations)}};
    const std::vector<double> figures = figures_of(kept);
    for (std::size_t i = 0; i < figures.size(); ++i) {
      cells.push_back(fixed(figures[i], 1));
      row[kColumns[i + 3]] = figures[i];
    }
    table.add_row(cells);
    csv += csv_line(cells);
    json.push_back(std::move(row));
  };
  for (const auto& [program, kept] : by_program) add(program, kept);
  add("all", all);
  return {
      "Share of the best measured speed that the first k configurations keep, in the order "
      "predicted by " +
          net.name + " (" + device.described() +
          ", warm times)\nmeans over the problems of a program; configurations: their mean "
          "number; worst first: the smallest share kept by the first\nalone; at random: the "
          "mean over all configurations\n\n" +
          table.text(2),
      json.dump(1) + "\n", std::move(csv)};
}

}  // namespace pnsim::experiments
