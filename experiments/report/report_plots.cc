// The plots of report.h.
#include <algorithm>

#include "experiments/report/report.h"
#include "simulator/base/svg_plot.h"

namespace pnsim::experiments {
namespace {

Scale scale_of(const Axis& axis) {
  const std::vector<std::int64_t> values = axis.integers();
  const bool powers = std::all_of(values.begin(), values.end(),
                                  [](std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; });
  return powers ? Scale::kLog2 : Scale::kLinear;
}

// Measured and predicted times, with one colour per setting of the other axes. The right axis shows
// the predicted times in steps; the two scales differ by a constant factor.
Plot program_plot(const RunResults& results, const Group& program) {
  const Spec& spec = results.info.spec;
  const double us_per_step = results.info.scale->us_per_step;
  Plot plot;
  plot.title = program.key + ": predicted steps and measured time";
  plot.note = "net " + results.info.net + " (" + parameters_text(results.info.parameters) + "); " +
              short_text(results.info.comparison);
  plot.x = {spec.size_axis, scale_of(spec.axis(spec.size_axis))};
  plot.y = {"time (us)", Scale::kLog10};
  plot.right_label = "predicted steps";
  plot.right_factor = 1 / us_per_step;
  int color = 0;
  for (const Group& line : group_by(program.results, [&](const PointResult& r) {
         Problem problem = r.point.problem;
         problem.erase(spec.size_axis);
         return problem_text(problem);
       })) {
    PlotSeries measured{line.key + " measured", {}, {}, color, true, false, true};
    PlotSeries predicted{line.key + " predicted", {}, {}, color, true, true, true};
    for (const PointResult& r : line.results) {
      const auto size = static_cast<double>(r.point.problem.at(spec.size_axis));
      measured.x.push_back(size);
      measured.y.push_back(r.measured_us);
      predicted.x.push_back(size);
      predicted.y.push_back(r.steps * us_per_step);
    }
    plot.series.push_back(std::move(measured));
    plot.series.push_back(std::move(predicted));
    ++color;
  }
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
