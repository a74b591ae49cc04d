#include "simulator/base/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "simulator/base/svg_canvas.h"
#include "simulator/base/svg_text.h"

namespace pnsim {
namespace {

// The palette of Okabe and Ito, which colour-blind readers can distinguish as well.
constexpr std::array kPalette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                 "#E69F00", "#56B4E9", "#5B5B5B", "#000000"};

constexpr std::array kMarkers = {SvgMarker::kCircle, SvgMarker::kSquare, SvgMarker::kTriangle,
                                 SvgMarker::kDiamond};
constexpr std::array kDashes = {"", "2 3", "10 3 2 3", "10 3"};  // of lines without markers
constexpr const char* kDashed = "6 4";

constexpr double kPlotLeft = 96, kPlotWidth = 536, kRightAxis = 96;
constexpr double kPlotHeight = 392, kPanelHeight = 240;  // of a lone plotting area, of several
constexpr double kPanelHead = 26, kXAxis = 64;           // above and below a plotting area
constexpr double kLegendGap = 24, kLegendLine = 20, kLegendKey = 36, kMaxLegend = 380;
constexpr double kMargin = 24, kMinWidth = 680;
constexpr double kTickLine = 14;  // the least distance of texts beside a vertical axis
constexpr int kTextSize = 12, kAxisSize = 14;
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

std::size_t look_of(const PlotSeries& series, std::size_t looks) {
  return static_cast<std::size_t>(series.look) / kPalette.size() % looks;
}

std::string color_of(const PlotSeries& series) {
  return kPalette[static_cast<std::size_t>(series.look) % kPalette.size()];
}

std::string dashes_of(const PlotSeries& series) {
  if (series.dashed) return kDashed;
  return series.markers ? "" : kDashes[look_of(series, kDashes.size())];
}

// One plotting area with its series.
struct Panel {
  std::string name;
  std::vector<const PlotSeries*> series;
  double legend_height() const {
    const auto named = std::count_if(series.begin(), series.end(),
                                     [](const PlotSeries* s) { return !s->name.empty(); });
    return kLegendLine * static_cast<double>(named);
  }
};

// In the order in which they are first named. At least one.
std::vector<Panel> panels_of(const Plot& plot) {
  std::vector<Panel> panels;
  for (const PlotSeries& series : plot.series) {
    const auto known = std::find_if(panels.begin(), panels.end(),
                                    [&](const Panel& p) { return p.name == series.panel; });
    if (known == panels.end()) {
      panels.push_back({series.panel, {&series}});
    } else {
      known->series.push_back(&series);
    }
  }
  if (panels.empty()) panels.emplace_back();
  return panels;
}

double legend_width(const Plot& plot) {
  double width = 0;
  for (const PlotSeries& series : plot.series) {
    width = std::max(width, text_width(series.name, kTextSize));
  }
  return width > 0 ? kLegendKey + std::min(width, kMaxLegend) : 0;
}

class PlotWriter {
 public:
  explicit PlotWriter(const Plot& plot)
      : plot_(plot),
        panels_(panels_of(plot)),
        right_(kPlotLeft + kPlotWidth),
        legend_x_(right_ + (plot.right_label.empty() ? 0 : kRightAxis) + kLegendGap),
        width_(std::max(kMinWidth, legend_x_ + legend_width(plot) + kMargin)),
        heading_(width_, plot.title, notes_of(plot)),
        x_(plot.x.scale, all_of(plot, &PlotSeries::x), kPlotLeft, right_) {}

  std::string write() {
    std::vector<double> heights;
    double all = heading_.height();
    for (const Panel& panel : panels_) {
      heights.push_back(std::max(panels_.size() == 1 ? kPlotHeight : kPanelHeight,
                                 panel.legend_height() + 2 * kLegendLine));
      all += head_of(panel) + heights.back() + kXAxis;
    }
    canvas_.emplace(width_, all);
    canvas_->heading(heading_);
    double y = heading_.height();
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      draw(panels_[i], y + head_of(panels_[i]), heights[i]);
      y += head_of(panels_[i]) + heights[i] + kXAxis;
    }
    return canvas_->text();
  }

 private:
  static std::vector<std::string> notes_of(const Plot& plot) {
    return plot.note.empty() ? std::vector<std::string>{} : std::vector<std::string>{plot.note};
  }
  static double head_of(const Panel& panel) { return panel.name.empty() ? 0 : kPanelHead; }

  void draw(const Panel& panel, double top, double height) {
    top_ = top;
    bottom_ = top + height;
    y_.emplace(plot_.y.scale, all_of(plot_, &PlotSeries::y), bottom_, top_);
    if (!panel.name.empty()) {
      canvas_->label(kPlotLeft, top - 10, fitted_text(panel.name, width_ - kPlotLeft, kAxisSize),
                     "start", kAxisSize);
    }
    x_axis();
    y_axis();
    if (!plot_.right_label.empty()) right_axis();
    canvas_->outline(kPlotLeft, top_, right_ - kPlotLeft, height, "#444", 1);
    for (const PlotSeries* series : panel.series) draw(*series);
    legend(panel);
  }

  // The ticks of the x axis whose texts do not touch.
  void x_axis() {
    double free = 0;
    for (const double value : x_.ticks(1)) {
      const double at = x_.pixel(value);
      const std::string text = tick_text(value, plot_.x.scale);
      const double half = text_width(text, kTextSize) / 2;
      canvas_->line(at, top_, at, bottom_, "#ddd", 1);
      if (at - half < free) continue;
      canvas_->label(at, bottom_ + 18, text, "middle", kTextSize);
      free = at + half + 2;
    }
    canvas_->label((kPlotLeft + right_) / 2, bottom_ + 42, plot_.x.label, "middle", kAxisSize);
  }

  void y_axis() {
    double last = bottom_ + kTickLine;  // the last tick with a text
    for (const double value : y_->ticks(1)) {
      const double at = y_->pixel(value);
      canvas_->line(kPlotLeft, at, right_, at, "#ddd", 1);
      if (last - at < kTickLine) continue;
      canvas_->label(kPlotLeft - 8, at + 4, tick_text(value, plot_.y.scale), "end", kTextSize);
      last = at;
    }
    canvas_->upright_label(20, (top_ + bottom_) / 2, plot_.y.label);
  }

  void right_axis() {
    double last = bottom_ + kTickLine;
    for (const double value : y_->ticks(plot_.right_factor)) {
      const double at = y_->pixel(value / plot_.right_factor);
      canvas_->line(right_, at, right_ + 5, at, "#444", 1);
      if (last - at < kTickLine) continue;
      canvas_->label(right_ + 8, at + 4, tick_text(value, plot_.y.scale), "start", kTextSize);
      last = at;
    }
    canvas_->upright_label(right_ + kRightAxis - 6, (top_ + bottom_) / 2, plot_.right_label);
  }

  std::string tooltip(const PlotSeries& series, std::size_t i) const {
    if (!series.tooltips.empty()) return series.tooltips[i];
    return series.name + ": " + plot_.x.label + " " + tick_text(series.x[i], plot_.x.scale) + ", " +
           plot_.y.label + " " + tick_text(series.y[i], Scale::kLinear);
  }

  void draw(const PlotSeries& series) {
    std::vector<std::size_t> drawn;
    std::vector<std::pair<double, double>> pixels;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!is_drawable(series.x[i], plot_.x.scale) || !is_drawable(series.y[i], plot_.y.scale)) {
        continue;
      }
      drawn.push_back(i);
      pixels.emplace_back(x_.pixel(series.x[i]), y_->pixel(series.y[i]));
    }
    if (series.line) canvas_->polyline(pixels, color_of(series), dashes_of(series), series.name);
    if (!series.markers) return;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      canvas_->marker(marker_of(series), pixels[k].first, pixels[k].second, color_of(series),
                      !series.dashed, tooltip(series, drawn[k]));
    }
  }

  static SvgMarker marker_of(const PlotSeries& series) {
    return kMarkers[look_of(series, kMarkers.size())];
  }

  void legend(const Panel& panel) {
    double at = top_ + 10;
    for (const PlotSeries* series : panel.series) {
      if (series->name.empty()) continue;
      const std::string color = color_of(*series);
      if (series->line) {
        canvas_->polyline({{legend_x_, at}, {legend_x_ + 28, at}}, color, dashes_of(*series));
      }
      if (series->markers) {
        canvas_->marker(marker_of(*series), legend_x_ + 14, at, color, !series->dashed);
      }
      const std::string name = fitted_text(series->name, kMaxLegend, kTextSize);
      canvas_->label(legend_x_ + kLegendKey, at + 4, name, "start", kTextSize, "#222",
                     name == series->name ? "" : series->name);
      at += kLegendLine;
    }
  }

  const Plot& plot_;
  const std::vector<Panel> panels_;
  const double right_, legend_x_, width_;
  const SvgHeading heading_;
  const AxisMap x_;
  std::optional<SvgCanvas> canvas_;
  std::optional<AxisMap> y_;     // of the panel that is drawn
  double top_ = 0, bottom_ = 0;  // of its plotting area
};

}  // namespace

std::string svg_text(const Plot& plot) { return PlotWriter(plot).write(); }

}  // namespace pnsim
