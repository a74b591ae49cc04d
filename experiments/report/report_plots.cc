// The plots of report.h.
#include <algorithm>
#include <map>
#include <set>

#include "experiments/report/report.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

Scale scale_of(const Axis& axis) {
  const std::vector<std::int64_t> values = axis.integers();
  const bool powers = std::all_of(values.begin(), values.end(),
                                  [](std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; });
  return powers ? Scale::kLog2 : Scale::kLinear;
}

constexpr std::size_t kMostLines = 8;  // settings in one plotting area: as many as colours

// The settings of a program: the values of all axes but that of the size.
Problem setting_of(const PointResult& result, const Spec& spec) {
  Problem setting = result.point.problem;
  setting.erase(spec.size_axis);
  return setting;
}

// Splits the axes of the settings into those with one value, which the note states, and the others.
struct SettingAxes {
  Problem same;
  std::vector<std::string> varying;
};

SettingAxes axes_of(const Group& program, const Spec& spec) {
  std::map<std::string, std::set<std::int64_t>> values;
  for (const PointResult& r : program.results) {
    for (const auto& [axis, value] : setting_of(r, spec)) values[axis].insert(value);
  }
  SettingAxes out;
  for (const auto& [axis, found] : values) {
    if (found.size() == 1) {
      out.same[axis] = *found.begin();
    } else {
      out.varying.push_back(axis);
    }
  }
  return out;
}

std::string setting_text(const Problem& setting, const std::vector<std::string>& axes) {
  Problem shown;
  for (const std::string& axis : axes) {
    if (const auto it = setting.find(axis); it != setting.end()) shown.insert(*it);
  }
  return problem_text(shown);
}

std::string point_tooltip(const RunResults& results, const PointResult& r) {
  const double predicted = r.steps * results.info.scale->us_per_step;
  return problem_text(r.point.problem) + ": measured " + significant(r.measured_us, 4) +
         " us, predicted " + significant(predicted, 4) + " us (" + significant(r.steps, 6) + " " +
         (results.info.step_is_cycle() ? "cycles" : "steps") + "), error " +
         fixed(100 * (predicted / r.measured_us - 1), 1) + " %";
}

// Adds the measured and the predicted times of one setting.
void add_setting(const RunResults& results, const std::vector<const PointResult*>& points,
                 const std::string& name, int look, const std::string& panel, Plot& plot) {
  const std::string start = name.empty() ? "" : name + " ";
  PlotSeries measured{start + "measured", {}, {}, look, true, false, true, {}, panel};
  PlotSeries predicted{start + "predicted", {}, {}, look, true, true, true, {}, panel};
  for (const PointResult* r : points) {
    const auto size = static_cast<double>(r->point.problem.at(results.info.spec.size_axis));
    measured.x.push_back(size);
    measured.y.push_back(r->measured_us);
    measured.tooltips.push_back(point_tooltip(results, *r));
    predicted.x.push_back(size);
    predicted.y.push_back(r->steps * results.info.scale->us_per_step);
  }
  predicted.tooltips = measured.tooltips;
  plot.series.push_back(std::move(measured));
  plot.series.push_back(std::move(predicted));
}

// With many settings each value of their first axis gets a plotting area of its own.
void add_settings(const RunResults& results, const Group& program, const SettingAxes& axes,
                  Plot& plot) {
  const Spec& spec = results.info.spec;
  std::map<Problem, std::vector<const PointResult*>> settings;
  for (const PointResult& r : program.results) settings[setting_of(r, spec)].push_back(&r);
  const bool has_panels = settings.size() > kMostLines && axes.varying.size() > 1;
  const std::size_t split = has_panels ? 1 : 0;
  const std::vector<std::string> of_panel(axes.varying.begin(), axes.varying.begin() + split);
  const std::vector<std::string> of_line(axes.varying.begin() + split, axes.varying.end());
  std::map<std::string, int> lines;  // of each panel
  for (const auto& [setting, points] : settings) {
    const std::string panel = setting_text(setting, of_panel);
    add_setting(results, points, setting_text(setting, of_line), lines[panel]++, panel, plot);
  }
}

// Measured and predicted times. The right axis shows the predicted times in steps; the two scales
// differ by a constant factor.
Plot program_plot(const RunResults& results, const Group& program) {
  const Spec& spec = results.info.spec;
  const RunInfo& info = results.info;
  const SettingAxes axes = axes_of(program, spec);
  const std::string step = info.step_is_cycle() ? "cycle" : "step";
  Plot plot;
  plot.title = program.key + ": predicted and measured time";
  plot.note = "net " + info.net + " (" + parameters_text(info.parameters) + "); " +
              short_text(info.comparison) + "; a " + step + " is " +
              significant(1e3 * info.scale->us_per_step, 4) + " ns (" + info.scale->source + ")" +
              (axes.same.empty() ? "" : "; all points: " + problem_text(axes.same));
  plot.x = {spec.size_axis, scale_of(spec.axis(spec.size_axis))};
  plot.y = {"time (us)", Scale::kLog10};
  plot.right_label = "predicted " + step + "s";
  plot.right_factor = 1 / info.scale->us_per_step;
  add_settings(results, program, axes, plot);
  return plot;
}

// The columns are the first axis of the grid, the rows the second one.
HeatGrid grid_plot(const RunResults& results, const Analysis& analysis) {
  const Spec& spec = results.info.spec;
  const Axis single{"", {""}};
  const Axis& columns = spec.grid[0];
  const Axis& rows = spec.grid.size() > 1 ? spec.grid[1] : single;
  HeatGrid grid;
  grid.title = "Mean error of the held-out times over " + columns.name +
               (rows.name.empty() ? "" : " and " + rows.name);
  grid.note = "each cell with its own scale; net " + results.info.net + "; " +
              short_text(results.info.comparison);
  grid.x_label = columns.name + " (steps)";
  grid.y_label = rows.name.empty() ? "" : rows.name + " (steps)";
  grid.columns = columns.values;
  grid.rows = rows.values;
  grid.unit = "%";
  const auto at = [&](std::size_t i) {
    return std::pair{i % rows.values.size(), i / rows.values.size()};
  };
  grid.values.assign(rows.values.size(), std::vector<double>(columns.values.size()));
  for (std::size_t i = 0; i < analysis.grid.size(); ++i) {
    const auto [row, column] = at(i);
    const JudgedCell& cell = analysis.grid[i];
    grid.values[row][column] = 100 * cell.held_out.mean;
    if (cell.is_best) grid.marks.push_back({row, column, "chosen: best on the training points"});
    if (cell.is_reference) grid.marks.push_back({row, column, spec.reference_name});
  }
  return grid;
}

// A grid that was interrupted has no plot.
bool is_whole(const Spec& spec, const std::vector<GridCell>& cells) {
  return !spec.grid.empty() && cells.size() == point_count(spec.grid);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> plots(const RunResults& results) {
  std::vector<std::pair<std::string, std::string>> out;
  if (!results.is_compared() || !results.info.scale) return out;
  for (const Group& program :
       group_by(results.points, [](const PointResult& r) { return r.point.program; })) {
    out.emplace_back(program.key + ".svg", svg_text(program_plot(results, program)));
  }
  if (is_whole(results.info.spec, results.cells)) {
    out.emplace_back("grid.svg", svg_text(grid_plot(results, analyse(results))));
  }
  return out;
}

}  // namespace pnsim::experiments
