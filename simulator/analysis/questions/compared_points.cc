#include "simulator/analysis/questions/compared_points.h"

#include <algorithm>

#include "simulator/analysis/runs/stopping.h"
#include "simulator/base/stats.h"

namespace pnsim {
namespace {

// The steps of one point, each at the device's clock, with more replicas added when they are
// needed.
struct Steps {
  std::vector<double> steps;  // [replica]
  Outcome outcome = Outcome::kGoal;

  void add(const Prediction& more) {
    const std::vector<double>& added = more.steps_at_device_clock;
    steps.insert(steps.end(), added.begin(), added.end());
    outcome = std::min(outcome, more.outcome);
  }
};

// Compares every point with the first one, replica by replica.
class SettingComparison {
 public:
  SettingComparison(const std::vector<PointRequest>& points, const RunOptions& options,
                    double matters)
      : points_(points), options_(options), matters_(matters), steps_(points.size()) {
    has_goal_ = !points.front().net_template->until.empty();
    us_per_step_ = 1 / points.front().device->positive("clock_mhz");
  }

  // Runs the points that need more replicas together, so that equal nets are run once.
  void run(const ReplicaRule& rule) {
    std::vector<std::size_t> open(steps_.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    told_.assign(steps_.size(), Told::kNoise);
    run_until_told(
        rule, [&](std::uint32_t first, std::uint32_t count) { run_more(open, first, count); },
        [&](int look) {
          std::erase_if(open, [&](std::size_t i) {
            if (i > 0) told_[i] = tell(i, look);
            return i > 0 && told_[i] != Told::kNoise;
          });
          return open.size() > 1 ? Told::kNoise : Told::kNone;
        });
  }

  ComparedPoints result() const {
    ComparedPoints out{{}, *first_, Outcome::kGoal};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      out.points.push_back(compared(i));
      out.outcome = std::min(out.outcome, steps_[i].outcome);
    }
    return out;
  }

 private:
  std::optional<double> time_us(std::size_t i) const {
    if (!came_to_end(steps_[i].outcome, has_goal_)) return std::nullopt;
    return mean(steps_[i].steps) * us_per_step_;
  }

  ComparedPoint compared(std::size_t i) const {
    ComparedPoint out;
    out.time_us = time_us(i);
    out.replicas = static_cast<std::uint32_t>(steps_[i].steps.size());
    out.told = told_[i];
    if (!out.time_us || !time_us(0)) return out;
    out.change = change(i);
    out.time_us = *time_us(0) * (1 + *out.change);
    if (out.replicas < 2) return out;
    const Interval interval = mean_ci95(residuals(i));
    out.half_width = (interval.high - interval.low) / 2;
    return out;
  }

  void run_more(const std::vector<std::size_t>& open, std::uint32_t first, std::uint32_t count) {
    RunOptions part = options_;
    part.first_replica = first;
    part.replicas = count;
    std::vector<PointRequest> requests;
    for (const std::size_t i : open) requests.push_back(points_[i]);
    const std::vector<Prediction> predictions = predict(requests, part);
    for (std::size_t k = 0; k < open.size(); ++k) steps_[open[k]].add(predictions[k]);
    if (!first_) first_ = predictions.front();
  }

  // The first point may have been run more often than this one.
  std::vector<double> base_of(std::size_t i) const {
    const auto count = static_cast<std::ptrdiff_t>(steps_[i].steps.size());
    return {steps_[0].steps.begin(), steps_[0].steps.begin() + count};
  }

  double change(std::size_t i) const { return mean(steps_[i].steps) / mean(base_of(i)) - 1; }

  // The ratio estimate's residuals, whose spread is that of the change (delta method).
  std::vector<double> residuals(std::size_t i) const {
    const std::vector<double> base = base_of(i);
    const double ratio = 1 + change(i), all = mean(base);
    std::vector<double> out;
    for (std::size_t r = 0; r < base.size(); ++r) {
      out.push_back((steps_[i].steps[r] - ratio * base[r]) / all);
    }
    return out;
  }

  Told tell(std::size_t i, int look) const {
    if (!time_us(i) || !time_us(0)) return Told::kNone;  // no times to compare
    if (steps_[i].steps.size() < 2) return Told::kOneRun;
    return told(change(i), half_width_at(residuals(i), look), matters_);
  }

  const std::vector<PointRequest>& points_;
  RunOptions options_;
  double matters_;
  std::vector<Steps> steps_;  // [point]
  std::vector<Told> told_;    // [point]
  std::optional<Prediction> first_;
  bool has_goal_ = false;
  double us_per_step_ = 0;
};

}  // namespace

ComparedPoints compare_with_first(const std::vector<PointRequest>& requests,
                                  const RunOptions& options, const ReplicaRule& rule,
                                  double matters) {
  SettingComparison comparison(requests, options, matters);
  comparison.run(rule);
  return comparison.result();
}

}  // namespace pnsim
