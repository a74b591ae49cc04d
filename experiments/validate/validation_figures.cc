#include "experiments/validate/validation_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim::experiments {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestPoints = 3;  // two points always lie on a line

template <class Get>
std::vector<double> chosen_values(const std::vector<std::size_t>& chosen, Get get) {
  std::vector<double> out;
  for (const std::size_t i : chosen) out.push_back(get(i));
  return out;
}

double pearson_of_logs(std::span<const ValidationPoint> points, const std::vector<double>& us,
                       const std::vector<std::size_t>& chosen) {
  if (chosen.size() < kFewestPoints) return kUndefined;
  return pearson(
      chosen_values(chosen, [&](std::size_t i) { return std::log(us[i]); }),
      chosen_values(chosen, [&](std::size_t i) { return std::log(points[i].measured_us()); }));
}

PairCount count_pairs(std::span<const ValidationPoint> points, const std::vector<double>& us,
                      const std::vector<std::size_t>& chosen) {
  std::map<std::string, std::vector<std::size_t>> same_work;
  for (const std::size_t i : chosen) same_work[points[i].work()].push_back(i);
  PairCount count;
  for (const auto& [work, members] : same_work) {
    for (std::size_t a = 0; a < members.size(); ++a) {
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        const std::size_t i = members[a], j = members[b];
        if (points[i].configuration == points[j].configuration) continue;
        count_pair(points[i].measured_us(), us[i], points[j].measured_us(), us[j], count);
      }
    }
  }
  return count;
}

void add_figures(const ValidationSet& set, std::span<const Predicted> predicted,
                 FigureGroup& group) {
  for (const Predicted& p : predicted) {
    group.of_predictor.push_back(figures_of(set.points, p.us, group.points));
  }
}

}  // namespace

void count_pair(double measured_us_a, double predicted_us_a, double measured_us_b,
                double predicted_us_b, PairCount& count) {
  const double shorter = std::min(measured_us_a, measured_us_b);
  if (std::abs(measured_us_a - measured_us_b) <= kPairDifference * shorter) return;
  ++count.pairs;
  const bool is_right = measured_us_a < measured_us_b ? predicted_us_a < predicted_us_b
                                                      : predicted_us_b < predicted_us_a;
  count.correct += is_right ? 1 : 0;
}

double PairCount::share() const {
  return pairs > 0 ? static_cast<double>(correct) / static_cast<double>(pairs) : kUndefined;
}

void leave_out_unfinished(ValidationSet& set, std::vector<Predicted>& predicted) {
  std::vector<ValidationPoint> points;
  std::vector<std::vector<double>> us(predicted.size());
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const auto without = std::find_if(predicted.begin(), predicted.end(),
                                      [&](const Predicted& p) { return std::isnan(p.us[i]); });
    if (without != predicted.end()) {
      set.skipped.push_back({set.points[i].program, 1, without->name + ": " + kUnfinished});
      continue;
    }
    points.push_back(set.points[i]);
    for (std::size_t p = 0; p < predicted.size(); ++p) us[p].push_back(predicted[p].us[i]);
  }
  if (points.empty()) fail_limit(std::string(kUnfinished) + ", of each of these points");
  set.points = std::move(points);
  for (std::size_t p = 0; p < predicted.size(); ++p) predicted[p].us = std::move(us[p]);
}

std::vector<double> errors_of(std::span<const ValidationPoint> points,
                              const std::vector<double>& us) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    errors.push_back(std::abs(us[i] - points[i].measured_us()) / points[i].measured_us());
  }
  return errors;
}

PredictorFigures figures_of(std::span<const ValidationPoint> points, const std::vector<double>& us,
                            const std::vector<std::size_t>& chosen) {
  const std::vector<double> errors = errors_of(points, us);
  return {summarize(chosen_values(chosen, [&](std::size_t i) { return errors[i]; })),
          pearson_of_logs(points, us, chosen), count_pairs(points, us, chosen)};
}

std::vector<FigureGroup> program_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted) {
  std::vector<FigureGroup> groups;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const ValidationPoint& point = set.points[i];
    const std::string name = point.program + (set.modes.size() > 1 ? ", " + point.mode : "");
    auto it = std::find_if(groups.begin(), groups.end(),
                           [&](const FigureGroup& group) { return group.name == name; });
    if (it == groups.end()) it = groups.insert(groups.end(), {name, {}, {}});
    it->points.push_back(i);
  }
  for (FigureGroup& group : groups) add_figures(set, predicted, group);
  std::stable_sort(groups.begin(), groups.end(), [](const FigureGroup& a, const FigureGroup& b) {
    return a.of_predictor.front().errors.mean > b.of_predictor.front().errors.mean;
  });
  return groups;
}

std::vector<FigureGroup> overall_figures(const ValidationSet& set,
                                         std::span<const Predicted> predicted) {
  std::vector<FigureGroup> groups;
  if (set.modes.size() > 1) {
    for (const std::string& mode : set.modes) groups.push_back({mode, {}, {}});
  }
  groups.push_back({"all", {}, {}});
  for (FigureGroup& group : groups) {
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      if (group.name == "all" || group.name == set.points[i].mode) group.points.push_back(i);
    }
    add_figures(set, predicted, group);
  }
  return groups;
}

std::vector<std::size_t> largest_first(const std::vector<double>& errors) {
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return errors[a] > errors[b]; });
  return order;
}

}  // namespace pnsim::experiments
