// The plots of validation_report.h.
#include <algorithm>

#include "experiments/validate/validation_report.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr int kBlack = 7;                      // of the looks
constexpr std::size_t kAblationsTogether = 7;  // with the predictor under validation: all colours
constexpr double kLeastError = 1e-3;  // otherwise one tiny error would stretch a logarithmic axis

std::vector<double> measured_times(const Validation& v) {
  std::vector<double> out;
  for (const ValidationPoint& point : v.set.points) out.push_back(point.measured_us());
  return out;
}

// The look of a predictor in both plots. Black belongs to the diagonal.
int look_of(std::size_t predictor) {
  const int look = static_cast<int>(predictor);
  return look < kBlack ? look : look + 1;
}

std::vector<std::string> tooltips_of(const Validation& v, const Predicted& predicted) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < v.set.points.size(); ++i) {
    const ValidationPoint& point = v.set.points[i];
    const double us = predicted.us[i], measured = point.measured_us();
    out.push_back(point.program + " " + point.at + " (" + point.mode + "): measured " +
                  significant(measured, 4) + " us, " + predicted.name + " " + significant(us, 4) +
                  " us, error " + fixed(100 * (us / measured - 1), 1) + " %");
  }
  return out;
}

// Exact predictions lie on the diagonal.
Plot scatter_plot(const Validation& v) {
  const std::vector<double> measured = measured_times(v);
  const auto [least, most] = std::minmax_element(measured.begin(), measured.end());
  Plot plot;
  plot.title = "Predicted and measured times";
  plot.note = std::to_string(measured.size()) + " points; " + v.set.times.brief;
  plot.x = {"measured (us)", Scale::kLog10};
  plot.y = {"predicted (us)", Scale::kLog10};
  // The first predictor is drawn last, on top. Ablations are omitted: they would cover their net.
  for (std::size_t p = v.predicted.size(); p-- > 0;) {
    if (v.predicted[p].is_ablation) continue;
    plot.series.push_back({v.predicted[p].name, measured, v.predicted[p].us, look_of(p), false,
                           false, true, tooltips_of(v, v.predicted[p])});
  }
  plot.series.push_back(
      {"predicted = measured", {*least, *most}, {*least, *most}, kBlack, true, true, false});
  return plot;
}

// The share of the points whose error is at most a given value.
PlotSeries error_series(const Validation& v, std::size_t predictor, int look,
                        const std::string& panel) {
  std::vector<double> errors = errors_of(v.set.points, v.predicted[predictor].us);
  std::sort(errors.begin(), errors.end());
  PlotSeries series{v.predicted[predictor].name, {}, {}, look, true, false, false, {}, panel};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    series.x.push_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(errors.size()));
    series.y.push_back(100 * std::max(errors[i], kLeastError));
  }
  return series;
}

// Ablations are shown a few at a time, each time beside the predictor under validation.
Plot errors_plot(const Validation& v) {
  Plot plot;
  plot.title = "Errors in ascending order";
  plot.note = std::to_string(v.set.points.size()) +
              " points; errors under 0.1 % are drawn at 0.1 %; " + v.set.times.brief;
  plot.x = {"share of the points (%)", Scale::kLinear};
  plot.y = {"error (%)", Scale::kLog10};
  std::vector<std::size_t> ablations;
  for (std::size_t p = 0; p < v.predicted.size(); ++p) {
    if (v.predicted[p].is_ablation) {
      ablations.push_back(p);
    } else {
      plot.series.push_back(error_series(v, p, look_of(p), ""));
    }
  }
  for (std::size_t first = 0; first < ablations.size(); first += kAblationsTogether) {
    const std::size_t end = std::min(ablations.size(), first + kAblationsTogether);
    const std::string panel =
        "ablations " + std::to_string(first + 1) + " to " + std::to_string(end);
    plot.series.push_back(error_series(v, 0, look_of(0), panel));
    for (std::size_t i = first; i < end; ++i) {
      plot.series.push_back(error_series(v, ablations[i], static_cast<int>(i - first) + 1, panel));
    }
  }
  return plot;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> validation_plots(const Validation& v) {
  return {{"scatter.svg", svg_text(scatter_plot(v))}, {"errors.svg", svg_text(errors_plot(v))}};
}

}  // namespace pnsim::experiments
