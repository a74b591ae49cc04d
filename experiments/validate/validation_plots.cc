// The plots of validation_report.h.
#include <algorithm>

#include "experiments/validate/validation_report.h"
#include "simulator/base/svg_plot.h"

namespace pnsim::experiments {
namespace {

constexpr int kBlack = 7;             // index in the palette
constexpr double kLeastError = 1e-3;  // otherwise one tiny error would stretch a logarithmic axis

std::vector<double> measured_times(const Validation& v) {
  std::vector<double> out;
  for (const ValidationPoint& point : v.set.points) out.push_back(point.measured_us());
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
    plot.series.push_back({v.predicted[p].name, measured, v.predicted[p].us, static_cast<int>(p),
                           false, false, true});
  }
  plot.series.push_back(
      {"predicted = measured", {*least, *most}, {*least, *most}, kBlack, true, true, false});
  return plot;
}

// The share of the points whose error is at most a given value.
Plot errors_plot(const Validation& v) {
  Plot plot;
  plot.title = "Errors in ascending order";
  plot.note = std::to_string(v.set.points.size()) +
              " points; errors under 0.1 % are drawn at 0.1 %; " + v.set.times.brief;
  plot.x = {"share of the points (%)", Scale::kLinear};
  plot.y = {"error (%)", Scale::kLog10};
  for (std::size_t p = 0; p < v.predicted.size(); ++p) {
    std::vector<double> errors = errors_of(v.set.points, v.predicted[p].us);
    std::sort(errors.begin(), errors.end());
    PlotSeries series{v.predicted[p].name, {}, {}, static_cast<int>(p), true, false, false};
    for (std::size_t i = 0; i < errors.size(); ++i) {
      series.x.push_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(errors.size()));
      series.y.push_back(100 * std::max(errors[i], kLeastError));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> validation_plots(const Validation& v) {
  return {{"scatter.svg", svg_text(scatter_plot(v))}, {"errors.svg", svg_text(errors_plot(v))}};
}

}  // namespace pnsim::experiments
