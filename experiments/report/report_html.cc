#include "experiments/report/report_html.h"

#include <algorithm>

namespace pnsim::experiments {
namespace {

constexpr double kLeastDrawn = 0.1;  // percent; one tiny error would stretch a logarithmic axis

std::vector<Group> programs_of_run(const RunResults& results) {
  return group_by(results.points, [](const PointResult& r) { return r.point.program; });
}

// Predicted over measured time, one series a program. Exact predictions lie on the diagonal.
Plot run_scatter(const RunResults& results) {
  Plot plot;
  plot.title = "Predicted and measured times";
  plot.note = std::to_string(results.points.size()) + " points; net " + results.info.net + "; " +
              short_text(results.info.comparison);
  plot.x = {"measured (us)", Scale::kLog10};
  plot.y = {"predicted (us)", Scale::kLog10};
  double least = results.points[0].measured_us, most = least;
  int look = 0;
  for (const Group& program : programs_of_run(results)) {
    PlotSeries series{program.key, {}, {}, look++, false};
    for (const PointResult& r : program.results) {
      const double predicted = r.steps * results.info.scale->us_per_step;
      series.x.push_back(r.measured_us);
      series.y.push_back(predicted);
      series.tooltips.push_back(program.key + " " + problem_text(r.point.problem) + ": measured " +
                                significant(r.measured_us, 4) + " us, predicted " +
                                significant(predicted, 4) + " us");
      least = std::min(least, r.measured_us);
      most = std::max(most, r.measured_us);
    }
    plot.series.push_back(std::move(series));
  }
  plot.series.push_back(
      {"predicted = measured", {least, most}, {least, most}, look, true, true, false});
  return plot;
}

Plot run_errors(const RunResults& results) {
  Plot plot;
  plot.title = "Errors in ascending order";
  plot.note = "errors under 0.1 % are drawn at 0.1 %; " + short_text(results.info.comparison);
  plot.x = {"share of the points (%)", Scale::kLinear};
  plot.y = {"error (%)", Scale::kLog10};
  int look = 0;
  for (const Group& program : programs_of_run(results)) {
    std::vector<double> errors;
    for (const PointResult& r : program.results) {
      errors.push_back(error_of(r, results.info.scale->us_per_step));
    }
    plot.series.push_back(sorted_errors(std::move(errors), program.key, look++));
  }
  return plot;
}

Json rows_of_run(const RunResults& results) {
  Json rows = Json::array();
  for (const PointResult& p : results.points) {
    Json row = {{"program", p.point.program},
                {"problem", p.point.problem},
                {"training", p.point.is_training},
                {"steps", p.steps}};
    if (results.info.scale) row["predicted_us"] = p.steps * results.info.scale->us_per_step;
    if (p.measured_us > 0) row["measured_us"] = p.measured_us;
    if (!p.measured_source.empty()) row["measured_source"] = p.measured_source;
    rows.push_back(std::move(row));
  }
  return rows;
}

// What "grid.svg" or "radix_shared.svg" shows.
std::string caption_of(const std::string& file) {
  if (file == "grid.svg") return "Error over the grid of latencies";
  return file.substr(0, file.rfind('.')) + ": predicted and measured time";
}

void add_figures(const RunResults& results, HtmlPage& page) {
  page.add_heading("Figures");
  if (results.info.scale && !results.points.empty()) {
    page.add_figure("Predicted and measured times", svg_text(run_scatter(results)));
    page.add_figure("Errors in ascending order", svg_text(run_errors(results)));
  }
  for (const auto& [name, svg] : plots(results)) page.add_figure(caption_of(name), svg);
}

}  // namespace

PlotSeries sorted_errors(std::vector<double> errors, const std::string& name, int look) {
  std::sort(errors.begin(), errors.end());
  PlotSeries series{name, {}, {}, look, true, false, false};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    series.x.push_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(errors.size()));
    series.y.push_back(std::max(100 * errors[i], kLeastDrawn));
  }
  return series;
}

void add_sections(std::span<const Section> sections, const std::vector<MadeTable>& tables,
                  HtmlPage& page) {
  for (const Section& section : sections) {
    if (section.text.empty()) continue;
    page.add_heading(section.title);
    page.add_tables(section.title, section.text, tables);
  }
}

void add_provenance(const std::string& version, const std::string& commit, const std::string& date,
                    const std::string& command, HtmlPage& page) {
  page.add_heading("Provenance");
  page.add_paragraph("pnsim " + version + ", commit " + commit + ", " + date);
  page.add_paragraph("Command: " + command);
}

std::string report_html(const RunResults& results) {
  const WideTables as_wide_as_they_are;
  const MadeTables made;
  const RunInfo& info = results.info;
  HtmlPage page("Experiment " + info.spec.name);
  page.add_paragraph(long_text(info.comparison));
  if (!info.spec.description.empty()) page.add_paragraph(info.spec.description);
  page.add_tables("", head_text(results), {});
  if (results.is_compared()) {
    const Analysis analysis = analyse(results);
    add_sections(summary_sections(results, analysis), made.all(), page);
    add_figures(results, page);
    const std::vector<Section> lists{choices_section(results, analysis),
                                     points_section(results, analysis, results.points.size())};
    add_sections(lists, made.all(), page);
  }
  add_provenance(info.version, info.commit, info.date, info.command, page);
  page.add_data("summary", summary_json(results));
  page.add_data("rows", rows_of_run(results));
  return page.text();
}

}  // namespace pnsim::experiments
