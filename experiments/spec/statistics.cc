#include "experiments/spec/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim::experiments {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestToCorrelate = 3;  // two points always lie on a line

double mean_or_none(const std::vector<double>& values) {
  return values.empty() ? kNone : mean(values);
}

template <class Get>
std::vector<double> column(std::span<const PointResult> results, Get get) {
  std::vector<double> out;
  for (const PointResult& result : results) out.push_back(get(result));
  return out;
}

std::vector<double> steps_of(std::span<const PointResult> results) {
  return column(results, [](const PointResult& r) { return r.steps; });
}

std::vector<double> times_of(std::span<const PointResult> results) {
  return column(results, [](const PointResult& r) { return r.measured_us; });
}

std::size_t first_smallest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

// The rank from 1. Equal values share the best rank.
std::size_t rank_at(const std::vector<double>& values, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::count_if(
                 values.begin(), values.end(), [&](double v) { return v < values[position]; }));
}

BestChoice best_of(const std::vector<PointResult>& results, const std::string& tuning_axis) {
  const std::vector<double> steps = steps_of(results);
  const std::vector<double> times = times_of(results);
  const std::size_t predicted = first_smallest(steps);
  const std::size_t measured = first_smallest(times);
  BestChoice out;
  out.others = results[0].point.problem;
  out.others.erase(tuning_axis);
  out.predicted_best = results[predicted].point.problem.at(tuning_axis);
  out.measured_best = results[measured].point.problem.at(tuning_axis);
  out.values = results.size();
  out.rank_of_predicted = rank_at(times, predicted);
  out.rank_of_measured = rank_at(steps, measured);
  out.time_lost = times[predicted] / times[measured] - 1;
  return out;
}

// Names in the order of their values, smallest first; ties stay in order.
std::vector<std::string> ordered(const std::vector<std::string>& names,
                                 const std::vector<double>& values) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::string> out;
  for (const std::size_t i : order) out.push_back(names[i]);
  return out;
}

std::vector<std::string> programs_of(std::span<const PointResult> results) {
  std::vector<std::string> names;
  for (const PointResult& r : results) names.push_back(r.point.program);
  return names;
}

double same_pairs(const Ranking& ranking) {
  const auto place = [](const std::vector<std::string>& order, const std::string& name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  double same = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < ranking.predicted.size(); ++i) {
    for (std::size_t j = i + 1; j < ranking.predicted.size(); ++j) {
      ++pairs;
      same += place(ranking.measured, ranking.predicted[i]) <
                      place(ranking.measured, ranking.predicted[j])
                  ? 1
                  : 0;
    }
  }
  return pairs > 0 ? same / pairs : 1;
}

}  // namespace

bool is_in(const PointResult& result, Subset subset) {
  return subset == Subset::kAll || result.point.is_training == (subset == Subset::kTraining);
}

bool knows_instructions(std::span<const PointResult> results) {
  return std::all_of(results.begin(), results.end(),
                     [](const PointResult& r) { return r.instructions > 0; });
}

double fit_us_per_step(std::span<const PointResult> results) {
  std::vector<double> ratios;
  for (const PointResult& r : results) {
    if (r.point.is_training) ratios.push_back(r.measured_us / r.steps);
  }
  if (ratios.empty()) {
    fail_usage(
        "no point to fit the time scale on: none of the sizes is a power of two with an even "
        "exponent");
  }
  return geometric_mean(ratios);
}

double error_of(const PointResult& result, double us_per_step) {
  return std::abs(result.steps * us_per_step - result.measured_us) / result.measured_us;
}

ErrorSummary summarize(const std::vector<double>& errors) {
  if (errors.empty()) return {0, kNone, kNone, kNone, kNone};
  return {errors.size(), mean(errors), median(errors),
          *std::max_element(errors.begin(), errors.end()), quantile(errors, 0.9)};
}

ErrorSummary summarize_errors(std::span<const PointResult> results, double us_per_step,
                              Subset subset) {
  std::vector<double> errors;
  for (const PointResult& r : results) {
    if (is_in(r, subset)) errors.push_back(error_of(r, us_per_step));
  }
  return summarize(errors);
}

Correlation correlate(std::span<const PointResult> results) {
  if (results.size() < kFewestToCorrelate) return {results.size(), kNone, kNone};
  const auto log_steps = column(results, [](const PointResult& r) { return std::log(r.steps); });
  const auto log_times =
      column(results, [](const PointResult& r) { return std::log(r.measured_us); });
  return {results.size(), pearson(log_steps, log_times),
          spearman(steps_of(results), times_of(results))};
}

Correlation correlate(std::span<const PointResult> results, const std::string& size_axis) {
  Correlation out = correlate(results);
  if (results.size() < kFewestToCorrelate) return out;
  const auto against_time = [&](auto get) {
    return pearson(column(results, [&](const PointResult& r) { return std::log(get(r)); }),
                   column(results, [](const PointResult& r) { return std::log(r.measured_us); }));
  };
  out.pearson_of_size = against_time(
      [&](const PointResult& r) { return static_cast<double>(r.point.problem.at(size_axis)); });
  if (knows_instructions(results)) {
    out.pearson_of_instructions = against_time([](const PointResult& r) { return r.instructions; });
  }
  return out;
}

std::vector<Group> group_by(std::span<const PointResult> results,
                            const std::function<std::string(const PointResult&)>& key) {
  std::vector<Group> groups;
  for (const PointResult& result : results) {
    const std::string mine = key(result);
    auto it = std::find_if(groups.begin(), groups.end(),
                           [&](const Group& group) { return group.key == mine; });
    if (it == groups.end()) it = groups.insert(groups.end(), {mine, {}});
    it->results.push_back(result);
  }
  return groups;
}

std::vector<BestChoice> best_choices(std::span<const PointResult> results,
                                     const std::string& tuning_axis) {
  std::vector<BestChoice> choices;
  const auto others = [&](const PointResult& r) {
    Problem problem = r.point.problem;
    problem.erase(tuning_axis);
    return problem_text(problem);
  };
  for (const Group& group : group_by(results, others)) {
    choices.push_back(best_of(group.results, tuning_axis));
  }
  return choices;
}

BestSummary summarize(std::span<const BestChoice> choices) {
  std::vector<double> of_predicted, of_measured, hits, lost;
  for (const BestChoice& c : choices) {
    of_predicted.push_back(static_cast<double>(c.rank_of_predicted));
    of_measured.push_back(static_cast<double>(c.rank_of_measured));
    hits.push_back(c.rank_of_predicted == 1 ? 1 : 0);
    lost.push_back(c.time_lost);
  }
  return {choices.size(), mean_or_none(of_predicted), mean_or_none(of_measured), mean_or_none(hits),
          mean_or_none(lost)};
}

std::vector<Ranking> rank_programs(std::span<const PointResult> results) {
  const auto by_problem = [](const PointResult& r) { return problem_text(r.point.problem); };
  const auto by_program = [](const PointResult& r) { return r.point.program; };
  const std::size_t programs = group_by(results, by_program).size();
  std::vector<Ranking> rankings;
  for (const Group& group : group_by(results, by_problem)) {
    if (group.results.size() != programs) continue;
    const std::vector<std::string> names = programs_of(group.results);
    rankings.push_back({group.results[0].point.problem, group.results[0].point.is_training,
                        ordered(names, steps_of(group.results)),
                        ordered(names, times_of(group.results))});
  }
  return rankings;
}

RankingAgreement agreement(std::span<const Ranking> rankings, Subset subset) {
  std::vector<double> orders, bests, pairs;
  for (const Ranking& ranking : rankings) {
    if (subset != Subset::kAll && ranking.is_training != (subset == Subset::kTraining)) continue;
    orders.push_back(ranking.predicted == ranking.measured ? 1 : 0);
    bests.push_back(ranking.predicted.front() == ranking.measured.front() ? 1 : 0);
    pairs.push_back(same_pairs(ranking));
  }
  return {orders.size(), mean_or_none(orders), mean_or_none(bests), mean_or_none(pairs)};
}

OverallRanking rank_overall(std::span<const PointResult> results, double us_per_step) {
  std::vector<std::string> names;
  std::vector<double> predicted, measured;
  for (const Group& group :
       group_by(results, [](const PointResult& r) { return r.point.program; })) {
    names.push_back(group.key);
    predicted.push_back(us_per_step * geometric_mean(steps_of(group.results)));
    measured.push_back(geometric_mean(times_of(group.results)));
  }
  OverallRanking out{ordered(names, predicted), ordered(names, measured), predicted, measured};
  std::sort(out.predicted_us.begin(), out.predicted_us.end());
  std::sort(out.measured_us.begin(), out.measured_us.end());
  return out;
}

std::vector<SizeBias> bias_by_size(std::span<const PointResult> results,
                                   const std::string& size_axis,
                                   const std::vector<std::string>& programs, double us_per_step) {
  std::map<std::int64_t, std::map<std::string, std::vector<double>>> ratios;
  std::map<std::int64_t, std::vector<double>> all;
  for (const PointResult& r : results) {
    const std::int64_t size = r.point.problem.at(size_axis);
    all[size].push_back(r.steps * us_per_step / r.measured_us);
    ratios[size][r.point.program].push_back(all[size].back());
  }
  std::vector<SizeBias> rows;
  for (auto& [size, of] : ratios) {
    rows.push_back({size, {}, geometric_mean(all[size])});
    for (const std::string& program : programs) {
      const std::vector<double>& mine = of[program];
      rows.back().of_program.push_back(mine.empty() ? kNone : geometric_mean(mine));
    }
  }
  return rows;
}

std::vector<std::size_t> worst_first(std::span<const PointResult> results, double us_per_step) {
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return error_of(results[a], us_per_step) > error_of(results[b], us_per_step);
  });
  return order;
}

}  // namespace pnsim::experiments
