#include "experiments/run/baselines.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulator/base/stats.h"
#include "simulator/model/paper/waves.h"

namespace pnsim::experiments {
namespace {

double instructions_of(const Wave& wave) {
  double sum = 0;
  for (const InstructionCounts& counts : wave.warps) {
    sum += static_cast<double>(counts.arithmetic + counts.shared + counts.global);
  }
  return sum;
}

std::vector<PointResult> chosen(std::span<const PointResult> results, Subset subset) {
  std::vector<PointResult> out;
  for (const PointResult& r : results) {
    if (is_in(r, subset)) out.push_back(r);
  }
  return out;
}

std::vector<PointResult> by_instructions(std::vector<PointResult> results) {
  for (PointResult& r : results) r.steps = r.instructions;
  return results;
}

double log_size(const PointResult& result, const std::string& size_axis) {
  return std::log(static_cast<double>(result.point.problem.at(size_axis)));
}

using LogLine = std::vector<std::pair<double, double>>;  // (x, y), x ascending

// Pairs of the log of a size and the mean log of the training times of that size.
LogLine training_line(std::span<const PointResult> results, const std::string& size_axis) {
  std::map<double, std::vector<double>> logs;
  for (const PointResult& r : results) {
    if (r.point.is_training) logs[log_size(r, size_axis)].push_back(std::log(r.measured_us));
  }
  LogLine line;
  for (const auto& [x, y] : logs) line.emplace_back(x, mean(y));
  return line;
}

double height_at(const LogLine& line, double x) {
  if (line.size() == 1) return line[0].second;
  std::size_t right = 1;
  while (right + 1 < line.size() && line[right].first < x) ++right;
  const auto& [x0, y0] = line[right - 1];
  const auto& [x1, y1] = line[right];
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

// The summary when `value` is predicted to be best everywhere.
BestSummary summary_of_fixed(std::vector<PointResult> results, const std::string& tuning_axis,
                             std::int64_t value) {
  for (PointResult& r : results) r.steps = r.point.problem.at(tuning_axis) == value ? 1 : 2;
  return summarize(best_choices(results, tuning_axis));
}

std::vector<std::int64_t> values_of(std::span<const PointResult> results, const std::string& axis) {
  std::vector<std::int64_t> values;
  for (const PointResult& r : results) {
    const std::int64_t value = r.point.problem.at(axis);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

// Every size has every value, so the mean over values is the expectation of a random choice.
BestSummary mean_over(const std::vector<BestSummary>& values) {
  BestSummary out;
  const auto count = static_cast<double>(values.size());
  for (const BestSummary& s : values) {
    out.groups = s.groups;
    out.mean_rank_of_predicted += s.mean_rank_of_predicted / count;
    out.hit_share += s.hit_share / count;
    out.mean_time_lost += s.mean_time_lost / count;
  }
  return out;
}

}  // namespace

double busiest_sm_instructions(const RecordedPoint& point, std::int64_t sms) {
  double sum = 0;
  for (const Launch& launch : point.launches) {
    const LaunchWaves waves = launch_waves(launch, sms);
    double once = static_cast<double>(waves.full_waves) * instructions_of(waves.full);
    if (waves.tail) once += instructions_of(*waves.tail);
    sum += static_cast<double>(launch.repeat) * once;
  }
  return sum;
}

std::optional<Guess> guess_by_instructions(std::span<const PointResult> results) {
  if (!knows_instructions(results)) return std::nullopt;
  Guess guess{by_instructions({results.begin(), results.end()}), 0};
  guess.scale = fit_us_per_step(guess.results);
  return guess;
}

Guess guess_by_size(std::span<const PointResult> results, const std::string& size_axis) {
  Guess guess{{results.begin(), results.end()}, 0};
  const LogLine line = training_line(results, size_axis);
  if (!line.empty()) {
    for (PointResult& r : guess.results) {
      r.steps = std::exp(height_at(line, log_size(r, size_axis)));
    }
  }
  guess.scale = fit_us_per_step(guess.results);  // 1; throws when there is no training point
  return guess;
}

std::vector<std::string> commonest_order(std::span<const Ranking> rankings) {
  std::vector<std::string> commonest;
  std::ptrdiff_t most = 0;
  for (const Ranking& candidate : rankings) {
    if (!candidate.is_training) continue;
    const auto times = std::count_if(rankings.begin(), rankings.end(), [&](const Ranking& r) {
      return r.is_training && r.measured == candidate.measured;
    });
    if (times > most) {
      most = times;
      commonest = candidate.measured;
    }
  }
  return commonest;
}

std::vector<Ranking> always(const std::vector<std::string>& order,
                            std::span<const Ranking> rankings) {
  if (order.empty()) return {};
  std::vector<Ranking> out(rankings.begin(), rankings.end());
  for (Ranking& ranking : out) ranking.predicted = order;
  return out;
}

std::optional<TuningComparison> compare_tuning(std::span<const PointResult> results,
                                               const std::string& tuning_axis) {
  const std::vector<PointResult> training = chosen(results, Subset::kTraining);
  const std::vector<PointResult> held_out = chosen(results, Subset::kHeldOut);
  if (training.empty()) return std::nullopt;
  TuningComparison out;
  out.net = summarize(best_choices(held_out, tuning_axis));
  if (knows_instructions(held_out)) {
    out.instructions = summarize(best_choices(by_instructions(held_out), tuning_axis));
  }
  std::optional<double> least;
  std::vector<BestSummary> each;
  for (const std::int64_t value : values_of(results, tuning_axis)) {
    each.push_back(summary_of_fixed(held_out, tuning_axis, value));
    const double lost = summary_of_fixed(training, tuning_axis, value).mean_time_lost;
    if (least && lost >= *least) continue;
    least = lost;
    out.fixed_value = value;
    out.fixed = each.back();
  }
  out.random = mean_over(each);
  return out;
}

}  // namespace pnsim::experiments
