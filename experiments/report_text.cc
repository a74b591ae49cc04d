// The tables of report.h.
#include <cmath>

#include "experiments/report.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

std::string percent(double share) { return std::isnan(share) ? "-" : fixed(100 * share, 1); }

// "Errors (recorded, h200)".
std::string title_of(const RunResults& results, const std::string& what) {
  return what + " (" + short_text(results.info.comparison) + ")";
}

std::string joined(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

Section errors_section(const RunResults& results, const Analysis& analysis) {
  TextTable table({"program", "training points", "mean %", "median %", "worst %", "held-out points",
                   "held-out mean %", "held-out median %", "held-out worst %"});
  const auto add = [&](const std::string& name, const ErrorSummary& training,
                       const ErrorSummary& held_out) {
    table.add_row({name, std::to_string(training.points), percent(training.mean),
                   percent(training.median), percent(training.worst),
                   std::to_string(held_out.points), percent(held_out.mean),
                   percent(held_out.median), percent(held_out.worst)});
  };
  for (const ProgramAnalysis& p : analysis.programs) add(p.program, p.training, p.held_out);
  add("all", analysis.training, analysis.held_out);
  return {title_of(results, "Error of the predicted time, |predicted - measured| / measured"),
          table.text(2) + "  (the scale is fitted on the training points: " +
              results.info.spec.size_axis + " with even log2; the others judge it)\n"};
}

Section correlations_section(const RunResults& results, const Analysis& analysis) {
  TextTable table({"program", "at", "points", "Pearson of logs", "Spearman"});
  const auto add = [&](const std::string& name, const std::string& at, const Correlation& c) {
    table.add_row({name, at, std::to_string(c.points), fixed(c.pearson, 4), fixed(c.spearman, 4)});
  };
  for (const ProgramAnalysis& p : analysis.programs) {
    for (const auto& [at, correlation] : p.over_size) add(p.program, at, correlation);
    add(p.program, "all together", p.pooled);
  }
  return {title_of(results,
                   "Predicted steps against measured time over " + results.info.spec.size_axis),
          table.text(2)};
}

Section best_section(const RunResults& results, const Analysis& analysis) {
  const std::string& axis = results.info.spec.tuning_axis;
  TextTable table({"program", "sizes", "rank of the predicted best (mean)",
                   "rank of the measured best (mean)", "predicted best is best %",
                   "time lost % (mean)"});
  for (const ProgramAnalysis& p : analysis.programs) {
    table.add_row({p.program, std::to_string(p.best.groups),
                   fixed(p.best.mean_rank_of_predicted, 2), fixed(p.best.mean_rank_of_measured, 2),
                   percent(p.best.hit_share), percent(p.best.mean_time_lost)});
  }
  return {title_of(results, "Best " + axis),
          table.text(2) +
              "  (rank of the predicted best: by measured time; of the measured best: by "
              "predicted steps;\n   1 is first; time lost: by taking the predicted best)\n"};
}

Section ranking_section(const RunResults& results, const Analysis& analysis) {
  TextTable table({"problems", "count", "same order %", "same fastest %", "pairs in order %"});
  const auto add = [&](const std::string& name, const RankingAgreement& a) {
    table.add_row({name, std::to_string(a.problems), percent(a.order_share), percent(a.best_share),
                   percent(a.pair_share)});
  };
  add("training", analysis.training_ranking);
  add("held out", analysis.held_out_ranking);
  add("all", analysis.all_ranking);
  return {title_of(results, "Ranking of the programs, predicted and measured"),
          table.text(2) + "  over all problems (geometric mean), fastest first\n    predicted: " +
              joined(analysis.overall.predicted, " < ") +
              "\n    measured:  " + joined(analysis.overall.measured, " < ") + "\n"};
}

std::string cell_mark(const JudgedCell& cell, const Spec& spec) {
  std::string mark;
  if (cell.is_best) mark = "best on training points";
  if (cell.is_reference) mark += (mark.empty() ? "" : ", ") + spec.reference_name;
  return mark;
}

std::vector<std::string> grid_header(const Spec& spec) {
  std::vector<std::string> header;
  for (const Axis& axis : spec.grid) header.push_back(axis.name);
  for (const char* name : {"ns/step", "training mean %", "held-out mean %", "held-out median %",
                           "same order %", "pairs in order %", "Pearson of logs", ""}) {
    header.emplace_back(name);
  }
  return header;
}

Section grid_section(const RunResults& results, const Analysis& analysis) {
  const Spec& spec = results.info.spec;
  TextTable table(grid_header(spec));
  for (const JudgedCell& cell : analysis.grid) {
    std::vector<std::string> row;
    for (const Axis& axis : spec.grid) {
      row.push_back(std::to_string(cell.parameters.at(axis.name)[0]));
    }
    for (const std::string& text :
         {significant(1e3 * cell.us_per_step, 4), percent(cell.training.mean),
          percent(cell.held_out.mean), percent(cell.held_out.median),
          percent(cell.held_out_ranking.order_share), percent(cell.held_out_ranking.pair_share),
          fixed(cell.correlation.pearson, 4), cell_mark(cell, spec)}) {
      row.push_back(text);
    }
    table.add_row(row);
  }
  return {title_of(results,
                   "Grid: each cell with its own scale, fitted and chosen on the training "
                   "points, judged on the held-out ones"),
          table.text(2)};
}

std::vector<std::string> points_header(const Spec& spec) {
  std::vector<std::string> header;
  for (const Axis& axis : spec.axes) header.push_back(axis.name);
  for (const char* name : {"used for", "steps", "predicted us", "measured us", "error %"}) {
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
  row.push_back(p.point.is_training ? "training" : "judging");
  row.push_back(fixed(p.steps, p.steps == std::floor(p.steps) ? 0 : 1));
  row.push_back(scaled ? significant(p.steps * scale, 4) : "-");
  row.push_back(p.measured_us > 0 ? significant(p.measured_us, 4) : "-");
  row.push_back(scaled && p.measured_us > 0 ? percent(error_of(p, scale)) : "-");
  table.add_row(row);
}

// Without measured times: the points in their order.
std::string plain_points(const RunResults& results) {
  TextTable table(points_header(results.info.spec));
  for (const PointResult& p : results.points) add_point(results, p, table);
  return table.text(2);
}

std::string shown(const Section& section) { return "\n" + section.title + "\n" + section.text; }

}  // namespace

std::vector<Section> summary_sections(const RunResults& results, const Analysis& analysis) {
  std::vector<Section> sections{errors_section(results, analysis),
                                correlations_section(results, analysis)};
  if (!results.info.spec.tuning_axis.empty()) sections.push_back(best_section(results, analysis));
  if (analysis.programs.size() > 1) sections.push_back(ranking_section(results, analysis));
  if (!analysis.grid.empty()) sections.push_back(grid_section(results, analysis));
  return sections;
}

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
  if (!info.scale) return text + "no time scale is recorded for these parameters of the net\n";
  return text + "a step is " + significant(1e3 * info.scale->us_per_step, 4) +
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
