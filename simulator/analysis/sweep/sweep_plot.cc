#include "simulator/analysis/sweep/sweep_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "simulator/base/error.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMostOnALine = 10'000, kMostInAGrid = 60;  // values of an axis
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Positions of the axes that have several values.
std::vector<std::size_t> plotted(std::span<const Axis> axes) {
  std::vector<std::size_t> out;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].values.size() > 1) out.push_back(a);
  }
  if (out.empty() && !axes.empty()) out.push_back(0);
  return out;
}

std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

bool has_numbers(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const std::string& value) { return number_of(value).has_value(); });
}

bool is_line(std::span<const Axis> axes, const std::vector<std::size_t>& shown) {
  return shown.size() == 1 && has_numbers(axes[shown[0]]);
}

// Over a wide range of positive numbers a logarithmic scale shows small and large ones.
Scale scale_of(const std::vector<double>& values, double wide) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  bool are_powers_of_two = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (value <= 0) return Scale::kLinear;
    low = std::min(low, value);
    high = std::max(high, value);
    int exponent = 0;
    are_powers_of_two = are_powers_of_two && std::frexp(value, &exponent) == 0.5;
  }
  if (high < wide * low) return Scale::kLinear;
  return are_powers_of_two ? Scale::kLog2 : Scale::kLog10;
}

class SweepPlot {
 public:
  SweepPlot(std::span<const Axis> axes, const SweepTable& table)
      : axes_(axes), table_(table), shown_(plotted(axes)) {
    const auto has_no_time = [](const SweptPoint& p) { return p.ended && !p.predicted_us; };
    is_time_ = std::none_of(table.points().begin(), table.points().end(), has_no_time);
  }

  std::string text() const { return is_line(axes_, shown_) ? line() : grid(); }

 private:
  std::string what() const { return is_time_ ? "predicted time (us)" : "steps"; }

  std::string title() const {
    std::string over;
    for (const std::size_t a : shown_) over += (over.empty() ? "" : " and ") + table_.heads()[a];
    return what() + " over " + over;
  }

  // What was run, and the values of the axes that are not drawn.
  std::string note() const {
    std::string text = table_.title();
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (std::find(shown_.begin(), shown_.end(), a) != shown_.end()) continue;
      text += "; " + axes_[a].name + " = " + axes_[a].values[0];
    }
    return text;
  }

  double value_of(const SweptPoint& point) const {
    if (!point.ended) return kNaN;
    return is_time_ ? point.predicted_us.value_or(kNaN) : point.steps;
  }

  std::string line() const {
    PlotSeries predicted, measured;
    predicted.name = is_time_ ? "predicted" : "steps";
    measured.name = "measured";
    measured.look = 1;
    for (const SweptPoint& point : table_.points()) {
      const double x = *number_of(point.axes[shown_[0]]);
      predicted.x.push_back(x);
      predicted.y.push_back(value_of(point));
      if (!is_time_ || !point.measured_us) continue;
      measured.x.push_back(x);
      measured.y.push_back(*point.measured_us);
    }
    std::vector<double> all = predicted.y;
    all.insert(all.end(), measured.y.begin(), measured.y.end());
    Plot plot;
    plot.title = title();
    plot.note = note();
    plot.x.label = table_.heads()[shown_[0]];
    plot.x.scale = scale_of(predicted.x, 16);
    plot.y.label = is_time_ ? "time (us)" : "steps";
    plot.y.scale = scale_of(all, 100) == Scale::kLinear ? Scale::kLinear : Scale::kLog10;
    plot.series.push_back(std::move(predicted));
    if (!measured.x.empty()) plot.series.push_back(std::move(measured));
    return svg_text(plot);
  }

  // The rows of the grid are the first axis. Numbers over a million are shown in thousands.
  std::string grid() const {
    const Axis& across = axes_[shown_.back()];
    const Axis one_row{"", {""}};
    const bool has_rows = shown_.size() == 2;
    const Axis& down = has_rows ? axes_[shown_[0]] : one_row;
    HeatGrid grid;
    grid.title = title();
    grid.note = note();
    grid.x_label = table_.heads()[shown_.back()];
    grid.y_label = has_rows ? table_.heads()[shown_[0]] : "";
    grid.columns = across.values;
    grid.rows = down.values;
    grid.values.assign(down.values.size(), std::vector<double>(across.values.size(), kNaN));
    double most = 0;
    for (const SweptPoint& point : table_.points()) {
      const std::size_t row = has_rows ? position(down, point.axes[shown_[0]]) : 0;
      const double value = value_of(point);
      grid.values[row][position(across, point.axes[shown_.back()])] = value;
      if (value > most) most = value;
    }
    const bool in_thousands = most >= 1e6;
    for (auto& row : grid.values) {
      for (double& value : row) value /= in_thousands ? 1000 : 1;
    }
    grid.decimals = in_thousands || most >= 1000 ? 0 : (most >= 10 ? 1 : 3);
    grid.unit =
        is_time_ ? (in_thousands ? "ms" : "us") : (in_thousands ? "thousand steps" : "steps");
    return svg_text(grid);
  }

  // Values of factors may be spelled differently: "1" and "1.0".
  static std::size_t position(const Axis& axis, const std::string& value) {
    const std::optional<double> number = number_of(value);
    const auto is_it = [&](const std::string& own) {
      return own == value || (number && number_of(own) == number);
    };
    const auto it = std::find_if(axis.values.begin(), axis.values.end(), is_it);
    return static_cast<std::size_t>(it - axis.values.begin());
  }

  std::span<const Axis> axes_;
  const SweepTable& table_;
  std::vector<std::size_t> shown_;
  bool is_time_ = true;  // else steps
};

}  // namespace

void check_plot(std::span<const Axis> axes) {
  const std::vector<std::size_t> shown = plotted(axes);
  if (shown.empty()) fail_usage("--plot needs an axis: -a NAME=VALUES");
  if (shown.size() > 2) {
    std::string names;
    for (const std::size_t a : shown) names += (names.empty() ? "" : ", ") + axes[a].name;
    fail_usage("--plot shows one or two axes with several values, found " +
               std::to_string(shown.size()) + " (" + names +
               "): give all but two of them one value");
  }
  const std::size_t most = is_line(axes, shown) ? kMostOnALine : kMostInAGrid;
  for (const std::size_t a : shown) {
    if (axes[a].values.size() <= most) continue;
    fail_usage("--plot: axis " + axes[a].name + " has " + std::to_string(axes[a].values.size()) +
               " values, expected at most " + std::to_string(most) + " in a " +
               (is_line(axes, shown) ? "line" : "heat map"));
  }
}

std::string sweep_plot(std::span<const Axis> axes, const SweepTable& table) {
  return SweepPlot(axes, table).text();
}

}  // namespace pnsim
