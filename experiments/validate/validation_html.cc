#include "experiments/validate/validation_html.h"

#include <algorithm>

#include "experiments/report/report_html.h"

namespace pnsim::experiments {
namespace {

// The mean errors, the darkest where the prediction is worst.
HeatGrid error_map(const Validation& v) {
  HeatGrid grid;
  grid.title = "Mean error by program and predictor";
  grid.note =
      v.set.times.brief + "; programs with the largest error of " + v.predicted[0].name + " first";
  grid.x_label = "predictor";
  grid.y_label = "program";
  grid.unit = "%";
  std::vector<std::size_t> shown;  // ablations have tables of their own
  for (std::size_t p = 0; p < v.predicted.size(); ++p) {
    if (v.predicted[p].is_ablation) continue;
    shown.push_back(p);
    grid.columns.push_back(v.predicted[p].name);
  }
  for (const FigureGroup& program : program_figures(v.set, v.predicted)) {
    grid.rows.push_back(program.name);
    std::vector<double> row;
    for (const std::size_t p : shown) row.push_back(100 * program.of_predictor[p].errors.mean);
    grid.values.push_back(std::move(row));
  }
  return grid;
}

// The share of the pairs of configurations that each predictor ranks correctly.
HeatGrid ranking_map(const Validation& v) {
  HeatGrid grid = error_map(v);
  grid.title = "Pairs of configurations ranked correctly, by program and predictor";
  grid.note = v.set.times.brief + "; programs without such pairs have empty cells";
  std::size_t row = 0;
  for (const FigureGroup& program : program_figures(v.set, v.predicted)) {
    std::size_t column = 0;
    for (std::size_t p = 0; p < v.predicted.size(); ++p) {
      if (v.predicted[p].is_ablation) continue;
      grid.values[row][column++] = 100 * program.of_predictor[p].pairs.share();
    }
    ++row;
  }
  return grid;
}

std::string figure_name(const std::string& file) {
  if (file == "scatter.svg") return "Predicted and measured times";
  if (file == "errors.svg") return "Errors in ascending order";
  return file.substr(0, file.rfind('.'));
}

void add_validation_figures(const Validation& v, HtmlPage& page) {
  page.add_heading("Figures");
  for (const auto& [name, svg] : validation_plots(v)) page.add_figure(figure_name(name), svg);
  const HeatGrid errors = error_map(v), ranking = ranking_map(v);
  page.add_figure(errors.title, svg_text(errors));
  page.add_figure(ranking.title, svg_text(ranking));
  page.add_heading("Programs");
  for (const auto& [name, svg] : program_plots(v)) page.add_figure(name, svg);
}

}  // namespace

std::string validation_html(const Validation& v,
                            const std::function<std::vector<Section>()>& more) {
  const WideTables as_wide_as_they_are;
  const MadeTables made;
  HtmlPage page("Validation of " + v.predicted.at(0).name);
  page.add_paragraph(v.set.times.line);
  const std::string head = validation_head(v);
  page.add_heading("Predictors");
  page.add_tables("Predictors", head, made.all());
  add_sections(validation_sections(v), made.all(), page);
  if (more) add_sections(more(), made.all(), page);
  add_validation_figures(v, page);
  add_provenance(v.version, v.commit, v.date, v.command, page);
  page.add_data("validation", validation_json(v));
  return page.text();
}

}  // namespace pnsim::experiments
