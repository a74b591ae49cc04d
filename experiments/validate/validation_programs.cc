// The plots of the programs of validation_html.h.
#include <algorithm>
#include <map>
#include <set>

#include "experiments/validate/validation_html.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr std::size_t kMostSettings = 8;  // in one plotting area: as many as colours

std::string text_of_value(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The axis of numbers with most values; "" for a program at one point. The first of equals.
std::string widest_axis(const Validation& v, const std::vector<std::size_t>& points) {
  std::map<std::string, std::set<double>> values;
  for (const std::size_t i : points) {
    for (const auto& [axis, value] : v.set.points[i].axes.items()) {
      if (value.is_number()) values[axis].insert(value.get<double>());
    }
  }
  std::string widest;
  std::size_t most = 1;
  for (const auto& [axis, found] : values) {
    if (found.size() > most) widest = axis, most = found.size();
  }
  return widest;
}

struct Setting {
  std::string first, others;  // "block=256", "d=8 fixed_d=1"
  auto operator<=>(const Setting&) const = default;
};

// The values of the other axes; the first of them heads a plotting area of its own where there are
// many settings.
Setting setting_of_point(const ValidationPoint& point, const std::string& x_axis) {
  Setting out;
  for (const auto& [axis, value] : point.axes.items()) {
    if (axis == x_axis) continue;
    std::string& to = out.first.empty() ? out.first : out.others;
    to += (to.empty() ? "" : " ") + axis + "=" + text_of_value(value);
  }
  return out;
}

bool all_are_powers(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    const auto whole = static_cast<std::uint64_t>(value);
    return value >= 1 && static_cast<double>(whole) == value && (whole & (whole - 1)) == 0;
  });
}

// Measured and predicted times of one setting, in ascending order of the axis.
void add_lines_of(const Validation& v, std::vector<std::size_t> points, const std::string& axis,
                  const std::string& name, const std::string& panel, int look, Plot& plot) {
  const auto x_of = [&](std::size_t i) { return v.set.points[i].axes.at(axis).get<double>(); };
  std::stable_sort(points.begin(), points.end(),
                   [&](std::size_t a, std::size_t b) { return x_of(a) < x_of(b); });
  const std::string start = name.empty() ? "" : name + " ";
  PlotSeries measured{start + "measured", {}, {}, look, true, false, true, {}, panel};
  PlotSeries predicted{start + "predicted", {}, {}, look, true, true, true, {}, panel};
  for (const std::size_t i : points) {
    const double us = v.predicted[0].us[i], times = v.set.points[i].measured_us();
    measured.x.push_back(x_of(i));
    measured.y.push_back(times);
    predicted.y.push_back(us);
    measured.tooltips.push_back(v.set.points[i].at + ": measured " + significant(times, 4) +
                                " us, predicted " + significant(us, 4) + " us, error " +
                                fixed(100 * (us / times - 1), 1) + " %");
  }
  predicted.x = measured.x;
  predicted.tooltips = measured.tooltips;
  plot.series.push_back(std::move(measured));
  plot.series.push_back(std::move(predicted));
}

Plot plot_of_group(const Validation& v, const FigureGroup& group, const std::string& axis) {
  Plot plot;
  plot.title = group.name + ": predicted and measured time";
  plot.note = "predictor " + v.predicted[0].name + "; " + v.set.times.brief;
  std::map<Setting, std::vector<std::size_t>> settings;
  std::vector<double> x;
  for (const std::size_t i : group.points) {
    const ValidationPoint& point = v.set.points[i];
    if (!point.axes.contains(axis)) continue;
    settings[setting_of_point(point, axis)].push_back(i);
    x.push_back(point.axes.at(axis).get<double>());
  }
  plot.x = {axis, all_are_powers(x) ? Scale::kLog2 : Scale::kLinear};
  plot.y = {"time (us)", Scale::kLog10};
  const bool has_panels = settings.size() > kMostSettings;
  std::map<std::string, int> looks;  // of each panel
  for (const auto& [setting, points] : settings) {
    const std::string panel = has_panels ? setting.first : "";
    const std::string name =
        has_panels ? setting.others
                   : setting.first + (setting.others.empty() ? "" : " ") + setting.others;
    add_lines_of(v, points, axis, name, panel, looks[panel]++, plot);
  }
  return plot;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> program_plots(const Validation& v) {
  std::vector<FigureGroup> groups = program_figures(v.set, v.predicted);
  std::sort(groups.begin(), groups.end(),
            [](const FigureGroup& a, const FigureGroup& b) { return a.name < b.name; });
  std::vector<std::pair<std::string, std::string>> out;
  for (const FigureGroup& group : groups) {
    const std::string axis = widest_axis(v, group.points);
    if (!axis.empty()) out.emplace_back(group.name, svg_text(plot_of_group(v, group, axis)));
  }
  return out;
}

}  // namespace pnsim::experiments
