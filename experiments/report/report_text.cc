// The lists of points and choices of report.h, and the report for the terminal.
#include "experiments/report/report_cells.h"

namespace pnsim::experiments {
namespace {

std::vector<std::string> points_header(const Spec& spec) {
  std::vector<std::string> header;
  for (const Axis& axis : spec.axes) header.push_back(axis.name);
  for (const char* name : {"subset", "steps", "predicted us", "measured us", "error %"}) {
    header.emplace_back(name);
  }
  return header;
}

std::vector<std::string> axis_cells(const Spec& spec, const SuitePoint& point) {
  std::vector<std::string> cells;
  for (const Axis& axis : spec.axes) {
    cells.push_back(axis.name == "program" ? point.program
                                           : std::to_string(point.problem.at(axis.name)));
  }
  return cells;
}

void add_point(const RunResults& results, const PointResult& p, TextTable& table) {
  std::vector<std::string> row = axis_cells(results.info.spec, p.point);
  const bool scaled = results.info.scale.has_value();
  const double scale = scaled ? results.info.scale->us_per_step : 0;
  row.push_back(p.point.is_training ? "training" : "held out");
  row.push_back(fixed(p.steps, p.steps == std::floor(p.steps) ? 0 : 1));
  row.push_back(scaled ? significant(p.steps * scale, 4) : "-");
  row.push_back(p.measured_us > 0 ? significant(p.measured_us, 4) : "-");
  row.push_back(scaled && p.measured_us > 0 ? percent(error_of(p, scale)) : "-");
  table.add_row(row);
}

// The points in their order, for runs without measured times.
std::string plain_points(const RunResults& results) {
  TextTable table(points_header(results.info.spec));
  for (const PointResult& p : results.points) add_point(results, p, table);
  return table.text(2);
}

std::string shown(const Section& section) { return "\n" + section.title + "\n" + section.text; }

}  // namespace

Section points_section(const RunResults& results, const Analysis& analysis, std::size_t most) {
  TextTable table(points_header(results.info.spec));
  for (std::size_t i = 0; i < std::min(most, analysis.worst.size()); ++i) {
    add_point(results, results.points[analysis.worst[i]], table);
  }
  std::string text = table.text(2);
  if (most < analysis.worst.size()) {
    text +=
        "  ... " + std::to_string(analysis.worst.size() - most) + " more in points.csv (or -v)\n";
  }
  return {title_of(results, "Points, the largest error first"), text};
}

Section choices_section(const RunResults& results, const Analysis& analysis) {
  const std::string& axis = results.info.spec.tuning_axis;
  if (axis.empty()) return {};
  TextTable table({"program", "at", "predicted best " + axis, "its rank by time",
                   "measured best " + axis, "its rank by steps", "of", "time lost %"});
  for (const ProgramAnalysis& p : analysis.programs) {
    for (const BestChoice& c : p.choices) {
      table.add_row({p.program, problem_text(c.others), std::to_string(c.predicted_best),
                     std::to_string(c.rank_of_predicted), std::to_string(c.measured_best),
                     std::to_string(c.rank_of_measured), std::to_string(c.values),
                     percent(c.time_lost)});
    }
  }
  return {title_of(results, "Best " + axis + ", size by size"), table.text(2)};
}

std::string head_text(const RunResults& results) {
  const RunInfo& info = results.info;
  std::string text =
      "net " + info.net + " (" + parameters_text(info.parameters) + "), predicted for " +
      info.device_title + ", " + std::to_string(results.points.size()) + " points, seed " +
      std::to_string(info.seed) + ", " + std::to_string(info.replicas) +
      (info.replicas == 1 ? " replica" : " replicas") + ", engine " + info.engine + "\n";
  const std::string incomplete = incomplete_text(results);
  if (!incomplete.empty()) text += incomplete + "\n";
  if (!info.scale) return text + "no time scale is recorded for these parameters of the net\n";
  return text + "one step is " + significant(1e3 * info.scale->us_per_step, 4) +
         " ns: " + info.scale->source + "\n";
}

std::string report_text(const RunResults& results, bool all_points) {
  const std::string source = long_text(results.info.comparison);
  std::string text =
      "experiment " + results.info.spec.name + ": " + source + "\n" + head_text(results);
  if (!results.is_compared()) {
    return text + "\nPoints (not compared)\n" + plain_points(results) + "\n" + source + "\n";
  }
  const Analysis analysis = analyse(results);
  text +=
      shown(points_section(results, analysis, all_points ? results.points.size() : kWorstShown));
  for (const Section& section : summary_sections(results, analysis)) text += shown(section);
  return text + "\n" + source + "\n";
}

}  // namespace pnsim::experiments
