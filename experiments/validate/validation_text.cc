// The tables of validation_report.h, and the report as Markdown.
#include <algorithm>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/validation_report.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

std::string titled(const Validation& v, const std::string& what) {
  return what + " (" + v.set.times.brief + ")";
}

std::size_t programs_of(const Validation& v) {
  std::set<std::string> names;
  for (const ValidationPoint& point : v.set.points) names.insert(point.program);
  return names.size();
}

// Rows are programs. Columns are predictors, or the first predictor and its ablations.
std::string means_table(const Validation& v, const std::vector<FigureGroup>& groups,
                        bool of_ablations) {
  std::vector<std::string> header{"program", "points"};
  std::vector<std::size_t> shown;
  for (std::size_t p = 0; p < v.predicted.size(); ++p) {
    const Predicted& predicted = v.predicted[p];
    if (predicted.is_ablation != of_ablations && (p > 0 || !of_ablations)) continue;
    // Too many for columns; the rows of the figures have them.
    if (predicted.name.find(kWithoutHeuristic) != std::string::npos) continue;
    shown.push_back(p);
    const std::size_t module = of_ablations ? predicted.name.find(" without ") : std::string::npos;
    header.push_back(module == std::string::npos ? predicted.name
                                                 : "- " + predicted.name.substr(module + 9));
  }
  TextTable table(header);
  for (const FigureGroup& group : groups) {
    std::vector<std::string> row{group.name, std::to_string(group.points.size())};
    for (const std::size_t p : shown) row.push_back(percent(group.of_predictor[p].errors.mean));
    table.add_row(row);
  }
  return table.text(2);
}

Section means_section(const Validation& v, const std::vector<FigureGroup>& groups) {
  return {titled(v, "Mean error in % by program, the worst of " + v.predicted[0].name + " first"),
          means_table(v, groups, false)};
}

Section ablations_section(const Validation& v, const std::vector<FigureGroup>& groups) {
  return {titled(v, "Mean error in % by program, without (-) a module of the net"),
          means_table(v, groups, true)};
}

Section figures_section(const Validation& v, const std::string& title, const std::string& what,
                        const std::vector<FigureGroup>& groups, bool with_ablations) {
  TextTable table({what, "points", "predictor", "mean %", "median %", "p90 %", "worst %",
                   "Pearson of logs", "pairs", "ranked correctly %"});
  for (const FigureGroup& group : groups) {
    for (std::size_t p = 0; p < v.predicted.size(); ++p) {
      if (v.predicted[p].is_ablation && !with_ablations) continue;
      const PredictorFigures& f = group.of_predictor[p];
      table.add_row({group.name, std::to_string(f.errors.points), v.predicted[p].name,
                     percent(f.errors.mean), percent(f.errors.median), percent(f.errors.p90),
                     percent(f.errors.worst), fixed(f.pearson_log, 4),
                     std::to_string(f.pairs.pairs), percent(f.pairs.share())});
    }
  }
  return {titled(v, title), table.text(2)};
}

Section worst_section(const Validation& v) {
  TextTable table({"program", "at", "mode", "measured us", "predicted us", "error %"});
  const std::vector<double>& us = v.predicted[0].us;
  const std::vector<double> errors = errors_of(v.set.points, us);
  const std::vector<std::size_t> order = largest_first(errors);
  for (std::size_t i = 0; i < std::min(kWorstShown, order.size()); ++i) {
    const ValidationPoint& point = v.set.points[order[i]];
    table.add_row({point.program, point.at, point.mode, significant(point.measured_us(), 4),
                   significant(us[order[i]], 4), percent(errors[order[i]])});
  }
  return {titled(v, "Largest errors of " + v.predicted[0].name), table.text(2)};
}

// The points with warnings, and what the words mean.
Section warnings_section(const Validation& v) {
  const std::vector<PredictionWarnings> warnings = validation_warnings(v);
  TextTable table({"program", "at", "warnings"});
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (warnings[i].empty()) continue;
    table.add_row({v.set.points[i].program, v.set.points[i].at, kinds_text(warnings[i])});
    for (const PredictionWarning& warning : warnings[i]) kinds.insert(warning.kind);
  }
  std::string text = table.text(2);
  for (const std::string& kind : kinds) {
    text += "  (" + kind + ": " + meaning_of_warning(kind) + ")\n";
  }
  return {titled(v, "Warnings"), kinds.empty() ? "" : text};
}

std::string predictors_text(const Validation& v) {
  TextTable table({"predictor", "what it is", "fitted"});
  std::string notes;
  for (const Predicted& p : v.predicted) {
    table.add_row({p.name, p.about, p.note.empty() ? "nothing" : "to times"});
    if (!p.note.empty()) notes += "  (" + p.name + ": " + p.note + ")\n";
  }
  return table.text(2) + notes;
}

std::string skipped_text(const Validation& v) {
  std::string text;
  for (const SkippedPoints& row : v.set.skipped) {
    text += "skipped: " + std::to_string(row.points) + " points of " + row.program + ": " +
            row.why + "\n";
  }
  return text;
}

std::string cold_text(const Validation& v) {
  const auto& modes = v.set.modes;
  if (std::find(modes.begin(), modes.end(), "cold") == modes.end()) return "";
  return "cold times: the first launch of a point has the misses that the profiler counted with "
         "all "
         "caches flushed\n";
}

std::string fenced_text(const std::string& text) { return "```\n" + text + "```\n"; }

std::string validation_markdown(const Validation& v, const std::vector<std::string>& plots) {
  std::string text =
      "# Validation\n\n" + v.set.times.line + "\n\n" + fenced_text(validation_head(v));
  for (const Section& section : validation_sections(v)) {
    text += "\n## " + section.title + "\n\n" + fenced_text(section.text);
  }
  for (const std::string& name : plots) text += "\n![" + name + "](" + name + ")\n";
  return text + "\n## Provenance\n\n" +
         fenced_text("version  " + v.version + "\ncommit   " + v.commit + "\ndate     " + v.date +
                     "\ncommand  " + v.command + "\n") +
         "\n" + v.set.times.line + "\n";
}

}  // namespace

std::vector<Section> validation_sections(const Validation& v) {
  const std::vector<FigureGroup> programs = program_figures(v.set, v.predicted);
  Section overall =
      figures_section(v, "All points", "points of", overall_figures(v.set, v.predicted), true);
  overall.text +=
      "  (pairs: points of one program and problem in different configurations whose measured "
      "times\n"
      "   differ by more than 5 %; ranked correctly: the faster one is predicted faster)\n";
  std::vector<Section> sections{means_section(v, programs)};
  const bool has_ablations = std::any_of(v.predicted.begin(), v.predicted.end(),
                                         [](const Predicted& p) { return p.is_ablation; });
  if (has_ablations) sections.push_back(ablations_section(v, programs));
  sections.push_back(figures_section(v, "By program", "program", programs, false));
  sections.push_back(overall);
  sections.push_back(worst_section(v));
  Section warnings = warnings_section(v);
  if (!warnings.text.empty()) sections.push_back(std::move(warnings));
  return sections;
}

std::string validation_head(const Validation& v) {
  return std::to_string(v.set.points.size()) + " points (" + joined(v.set.modes, ", ") +
         " times) of " + std::to_string(programs_of(v)) +
         (programs_of(v) == 1 ? " program" : " programs") + ", predicted for " +
         v.set.device.described() + ", seed " + std::to_string(v.seed) + ", " +
         std::to_string(v.replicas) + (v.replicas == 1 ? " replica" : " replicas") + ", engine " +
         v.engine + "\n" + cold_text(v) + skipped_text(v) + "\n" + predictors_text(v);
}

std::string validation_text(const Validation& v) {
  std::string text = "experiment validate: " + v.set.times.line + "\n" + validation_head(v);
  for (const Section& section : validation_sections(v)) {
    text += "\n" + section.title + "\n" + section.text;
  }
  return text + "\n" + v.set.times.line + "\n";
}

std::vector<std::string> write_validation(const std::string& folder, const Validation& v) {
  const WideTables for_files;
  std::vector<std::pair<std::string, std::string>> files = validation_plots(v);
  std::vector<std::string> plot_names;
  for (const auto& [name, unused] : files) plot_names.push_back(name);
  files.emplace_back("points.csv", validation_csv(v));
  files.emplace_back("summary.json", validation_json(v).dump(1) + "\n");
  files.emplace_back("report.md", validation_markdown(v, plot_names));
  std::vector<std::string> names;
  for (const auto& [name, content] : files) {
    write_file_whole(folder + "/" + name, content);
    names.push_back(name);
  }
  return names;
}

}  // namespace pnsim::experiments
