#include "simulator/base/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "simulator/base/svg_canvas.h"

namespace pnsim {
namespace {

// The palette of Okabe and Ito, which colour-blind readers can distinguish as well.
constexpr std::array kPalette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                 "#E69F00", "#56B4E9", "#5B5B5B", "#000000"};

constexpr double kWidth = 940, kHeight = 520;
constexpr double kPlotLeft = 84, kPlotTop = 64, kPlotRight = 620,
                 kPlotBottom = 456;  // of the plotting area
constexpr double kLegendX = 716;
constexpr int kMostTicks = 20;
constexpr double kPad = 0.04;  // of the range, on either side

bool is_drawable(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
}

// Maps a value to the coordinate in which its axis is linear.
double on_scale(double value, Scale scale) {
  if (scale == Scale::kLog2) return std::log2(value);
  if (scale == Scale::kLog10) return std::log10(value);
  return value;
}

// One axis: maps the range of the drawn values to pixels.
class AxisMap {
 public:
  AxisMap(Scale scale, const std::vector<double>& values, double first_pixel, double last_pixel)
      : scale_(scale), first_pixel_(first_pixel), last_pixel_(last_pixel) {
    std::vector<double> drawn;
    for (const double v : values) {
      if (is_drawable(v, scale)) drawn.push_back(on_scale(v, scale));
    }
    if (drawn.empty()) drawn = {0, 1};
    low_ = *std::min_element(drawn.begin(), drawn.end());
    high_ = *std::max_element(drawn.begin(), drawn.end());
    const double pad = high_ > low_ ? kPad * (high_ - low_) : std::max(1.0, std::abs(low_) * 0.1);
    low_ -= pad;
    high_ += pad;
  }

  double pixel(double value) const {
    const double share = (on_scale(value, scale_) - low_) / (high_ - low_);
    return first_pixel_ + share * (last_pixel_ - first_pixel_);
  }

  // Round values in the range, where the axis shows `factor` times the data.
  std::vector<double> ticks(double factor) const {
    // Numbers at the ends of what a double holds have no round numbers between them.
    const double shift = scale_ == Scale::kLog10 ? std::log10(factor) : factor;
    if (!std::isfinite(shift) || !std::isfinite(high_ - low_)) return {};
    if (scale_ == Scale::kLog2) return powers_of_two();
    if (scale_ == Scale::kLog10) return decades(factor);
    return steps(low_ * factor, high_ * factor);
  }

 private:
  std::vector<double> powers_of_two() const {
    const double step = std::max(1.0, std::ceil((high_ - low_) / 14));
    std::vector<double> ticks;
    for (double e = std::ceil(low_); e <= high_; e += step) ticks.push_back(std::exp2(e));
    return ticks;
  }

  std::vector<double> decades(double factor) const {
    const double shift = std::log10(factor);
    const double low = low_ + shift, high = high_ + shift;
    std::vector<double> mantissas = {1};
    if (high - low < 3) mantissas = {1, 2, 5};
    std::vector<double> ticks;
    for (double e = std::floor(low); e <= high; ++e) {
      for (const double m : mantissas) {
        const double value = m * std::pow(10, e);
        if (std::log10(value) >= low && std::log10(value) <= high) ticks.push_back(value);
      }
    }
    return ticks.size() >= 2 ? ticks : steps(std::pow(10, low), std::pow(10, high));
  }

  // About six multiples of 1, 2 or 5 times a power of ten.
  static std::vector<double> steps(double low, double high) {
    const double rough = (high - low) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5   ? 1
                                 : rough / power < 3.5 ? 2
                                 : rough / power < 7.5 ? 5
                                                       : 10);
    std::vector<double> ticks;
    if (!std::isfinite(step) || step <= 0) return ticks;
    const double first = std::ceil(low / step);
    for (int k = 0; k < kMostTicks && (first + k) * step <= high; ++k)
      ticks.push_back((first + k) * step + 0.0);  // no -0
    return ticks;
  }

  Scale scale_;
  double first_pixel_, last_pixel_;
  double low_ = 0, high_ = 1;
};

std::string tick_text(double value, Scale scale) {
  if (scale == Scale::kLog2) return "2^" + std::to_string(std::lround(std::log2(value)));
  char text[32];
  if (value != 0 && (std::abs(value) >= 1e6 || std::abs(value) < 1e-3)) {
    std::snprintf(text, sizeof text, "%.3g", value);
  } else {
    std::snprintf(text, sizeof text, "%.6g", value);
  }
  return text;
}

std::vector<double> all_of(const Plot& plot, std::vector<double> PlotSeries::*side) {
  std::vector<double> out;
  for (const PlotSeries& s : plot.series) out.insert(out.end(), (s.*side).begin(), (s.*side).end());
  return out;
}

class PlotWriter {
 public:
  explicit PlotWriter(const Plot& plot)
      : plot_(plot),
        canvas_(kWidth, kHeight),
        x_(plot.x.scale, all_of(plot, &PlotSeries::x), kPlotLeft, kPlotRight),
        y_(plot.y.scale, all_of(plot, &PlotSeries::y), kPlotBottom, kPlotTop) {}

  std::string write() {
    canvas_.heading(plot_.title, plot_.note);
    x_axis();
    y_axis();
    if (!plot_.right_label.empty()) right_axis();
    canvas_.outline(kPlotLeft, kPlotTop, kPlotRight - kPlotLeft, kPlotBottom - kPlotTop, "#444", 1);
    for (const PlotSeries& series : plot_.series) draw(series);
    legend();
    return canvas_.text();
  }

 private:
  void x_axis() {
    for (const double value : x_.ticks(1)) {
      const double at = x_.pixel(value);
      canvas_.line(at, kPlotTop, at, kPlotBottom, "#ddd", 1);
      canvas_.label(at, kPlotBottom + 18, tick_text(value, plot_.x.scale), "middle");
    }
    canvas_.label((kPlotLeft + kPlotRight) / 2, kPlotBottom + 44, plot_.x.label, "middle", 14);
  }

  void y_axis() {
    for (const double value : y_.ticks(1)) {
      const double at = y_.pixel(value);
      canvas_.line(kPlotLeft, at, kPlotRight, at, "#ddd", 1);
      canvas_.label(kPlotLeft - 8, at + 4, tick_text(value, plot_.y.scale), "end");
    }
    canvas_.upright_label(20, (kPlotTop + kPlotBottom) / 2, plot_.y.label);
  }

  void right_axis() {
    for (const double value : y_.ticks(plot_.right_factor)) {
      const double at = y_.pixel(value / plot_.right_factor);
      canvas_.line(kPlotRight, at, kPlotRight + 5, at, "#444", 1);
      canvas_.label(kPlotRight + 8, at + 4, tick_text(value, plot_.y.scale), "start");
    }
    canvas_.upright_label(kPlotRight + 72, (kPlotTop + kPlotBottom) / 2, plot_.right_label);
  }

  void draw(const PlotSeries& series) {
    const std::string color = kPalette[static_cast<std::size_t>(series.color) % kPalette.size()];
    std::vector<std::pair<double, double>> pixels;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!is_drawable(series.x[i], plot_.x.scale) || !is_drawable(series.y[i], plot_.y.scale)) {
        continue;
      }
      pixels.emplace_back(x_.pixel(series.x[i]), y_.pixel(series.y[i]));
    }
    if (series.line) canvas_.polyline(pixels, color, series.dashed);
    if (!series.markers) return;
    for (const auto& [px, py] : pixels) canvas_.dot(px, py, color, !series.dashed);
  }

  void legend() {
    double at = kPlotTop + 10;
    for (const PlotSeries& series : plot_.series) {
      if (series.name.empty()) continue;
      const std::string color = kPalette[static_cast<std::size_t>(series.color) % kPalette.size()];
      if (series.line)
        canvas_.polyline({{kLegendX, at}, {kLegendX + 28, at}}, color, series.dashed);
      if (series.markers) canvas_.dot(kLegendX + 14, at, color, !series.dashed);
      canvas_.label(kLegendX + 36, at + 4, series.name, "start");
      at += 20;
    }
  }

  const Plot& plot_;
  SvgCanvas canvas_;
  AxisMap x_, y_;
};

}  // namespace

std::string svg_text(const Plot& plot) { return PlotWriter(plot).write(); }

}  // namespace pnsim
