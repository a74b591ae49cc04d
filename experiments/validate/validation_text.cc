// The tables of validation_report.h, and the report as Markdown.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "experiments/report/report_cells.h"
#include "experiments/validate/predictors.h"
#include "experiments/validate/program_sums.h"
#include "experiments/validate/validation_report.h"
#include "simulator/base/output.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kAllPoints = "points of";  // the column of the groups of all points

std::string titled(const Validation& v, const std::string& what) {
  return what + " (" + v.set.times.brief + ")";
}

// "3 programs"; the user's launches are told apart by their kernels only.
std::string programs_text(const Validation& v) {
  std::set<std::string> names;
  for (const ValidationPoint& point : v.set.points) names.insert(point.program);
  return std::to_string(names.size()) + (v.set.may_fit ? " program" : " kernel") +
         (names.size() == 1 ? "" : "s");
}

// What a launch finds in the caches. In its program it finds what the launches before it left.
std::string start_text(const ValidationPoint& point) {
  return is_in_place(*point.launches) ? "in-place" : point.mode;
}

std::string starts_text(const std::vector<ValidationPoint>& points) {
  std::vector<std::string> starts;
  for (const ValidationPoint& point : points) {
    if (std::find(starts.begin(), starts.end(), start_text(point)) == starts.end())
      starts.push_back(start_text(point));
  }
  return joined(starts, ", ");
}

// The user's points; those of recorded programs may be fitted to.
bool is_of_user(const Validation& v) { return !v.set.may_fit; }

// Whether every point says which launches of its program it represents.
bool has_all_counts(const Validation& v) {
  return std::all_of(v.set.points.begin(), v.set.points.end(),
                     [](const ValidationPoint& point) { return point.stands_for > 0; });
}

// The launches that the points represent, or the points, if not all say it.
double measured_sum(const Validation& v, const std::vector<std::size_t>& points) {
  const bool has_counts = has_all_counts(v);
  double us = 0;
  for (const std::size_t i : points)
    us += has_counts ? v.set.points[i].stands_for_us : v.set.points[i].measured_us();
  return us;
}

double measured_sum(const Validation& v) {
  std::vector<std::size_t> all(v.set.points.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return measured_sum(v, all);
}

// In the order that is asked for.
std::vector<FigureGroup> program_groups(const Validation& v) {
  std::vector<FigureGroup> groups = program_figures(v.set, v.predicted);
  if (v.view.by_time) {
    std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
      return measured_sum(v, a.points) > measured_sum(v, b.points);
    });
  }
  return groups;
}

// Rows are programs. Columns are predictors, or the first predictor and its ablations.
std::string means_table(const Validation& v, const std::vector<FigureGroup>& groups,
                        bool of_ablations) {
  std::vector<std::string> header{"program", "points"};
  if (is_of_user(v)) header.push_back("share %");
  const double all_us = measured_sum(v);
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
  const std::size_t most = v.view.most > 0 ? v.view.most : groups.size();
  for (std::size_t g = 0; g < std::min(most, groups.size()); ++g) {
    const FigureGroup& group = groups[g];
    std::vector<std::string> row{shortened_name(group.name), std::to_string(group.points.size())};
    if (is_of_user(v)) row.push_back(percent(measured_sum(v, group.points) / all_us));
    for (const std::size_t p : shown) row.push_back(percent(group.of_predictor[p].errors.mean));
    table.add_row(row);
  }
  if (!is_of_user(v)) return table.text(2);
  return table.text(2) + "  (share %: of the measured time of all " +
         (has_all_counts(v) ? "launches that the points represent)\n" : "points)\n");
}

Section means_section(const Validation& v, const std::vector<FigureGroup>& groups) {
  const std::string order = v.view.by_time ? "the longest measured time first"
                                           : "the worst of " + v.predicted[0].name + " first";
  return {titled(v, "Mean error in % by program, " + order), means_table(v, groups, false)};
}

Section ablations_section(const Validation& v, const std::vector<FigureGroup>& groups) {
  return {titled(v, "Mean error in % by program, without (-) a module of the net"),
          means_table(v, groups, true)};
}

// Whether the first predictor errs to one side: the other figures are of absolute errors.
std::string side_note(const Validation& v) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < v.set.points.size(); ++i)
    errors.push_back(v.predicted[0].us[i] / v.set.points[i].measured_us() - 1);
  if (errors.empty()) return "";
  const auto too_fast =
      std::count_if(errors.begin(), errors.end(), [](double error) { return error < 0; });
  const double signed_mean = mean(errors);
  return "  (" + v.predicted[0].name + " predicts " + std::to_string(too_fast) + " of " +
         std::to_string(errors.size()) + " points too fast; the mean of its signed errors is " +
         signed_percent(signed_mean) + " %)\n";
}

// Single points of MWP-CWP may be wrong by orders of magnitude: why it stands in the table.
std::string mwp_cwp_note(const Validation& v) {
  const bool is_there =
      std::any_of(v.predicted.begin(), v.predicted.end(),
                  [](const auto& predicted) { return predicted.name == "MWP-CWP"; });
  if (!is_there) return "";
  return "  (MWP-CWP, of 2009, models GPUs without caches; its latency here is a mean over hits "
         "and "
         "misses)\n";
}

// Only the columns of pairs that exist.
Section figures_section(const Validation& v, const std::string& title, const std::string& what,
                        const std::vector<FigureGroup>& groups, bool with_ablations) {
  const bool has_pairs = std::any_of(groups.begin(), groups.end(), [](const FigureGroup& group) {
    return group.of_predictor.front().pairs.pairs > 0;
  });
  std::vector<std::string> header{what,       "points", "predictor", "mean %",
                                  "median %", "p90 %",  "worst %",   "Pearson of logs"};
  if (has_pairs) header.insert(header.end(), {"pairs", "ranked correctly %"});
  TextTable table(header);
  for (const FigureGroup& group : groups) {
    for (std::size_t p = 0; p < v.predicted.size(); ++p) {
      if (v.predicted[p].is_ablation && !with_ablations) continue;
      const PredictorFigures& f = group.of_predictor[p];
      std::vector<std::string> row{shortened_name(group.name), std::to_string(f.errors.points),
                                   v.predicted[p].name,        percent(f.errors.mean),
                                   percent(f.errors.median),   percent(f.errors.p90),
                                   percent(f.errors.worst),    fixed(f.pearson_log, 4)};
      if (has_pairs) {
        row.insert(row.end(), {std::to_string(f.pairs.pairs), percent(f.pairs.share())});
      }
      table.add_row(row);
    }
  }
  const std::string note =
      "  (pairs: points of one program and problem in different configurations whose measured "
      "times\n"
      "   differ by more than 5 %; ranked correctly: the faster one is predicted faster)\n";
  const bool is_all = what == kAllPoints;
  return {titled(v, title), table.text(2) + (has_pairs && is_all ? note : "") +
                                (is_all ? side_note(v) + mwp_cwp_note(v) : "")};
}

// The points with the largest errors, or the longest times.
Section worst_section(const Validation& v) {
  const std::vector<double> profiled = profiled_times(v.set);
  const bool has_profiled = std::any_of(profiled.begin(), profiled.end(), [](double profiled_us) {
    return !std::isnan(profiled_us);
  });
  std::vector<std::string> header{"program",     "at",           "mode",
                                  "measured us", "predicted us", "error %"};
  if (has_profiled) header.insert(header.end(), {"profiled us", "measured / profiled"});
  const bool has_templates =
      std::any_of(v.set.points.begin(), v.set.points.end(),
                  [](const ValidationPoint& point) { return !point.template_arguments.empty(); });
  if (has_templates) header.push_back("template arguments");
  TextTable table(header);
  const std::vector<double>& us = v.predicted[0].us;
  std::vector<double> keys = errors_of(v.set.points, us);
  if (v.view.by_time) {
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = v.set.points[i].measured_us();
  }
  const std::vector<std::size_t> order = largest_first(keys);
  const std::size_t most = v.view.most > 0 ? v.view.most : kWorstShown;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const std::size_t i = order[k];
    const ValidationPoint& point = v.set.points[i];
    std::vector<std::string> row{shortened_name(point.program),
                                 point.at,
                                 start_text(point),
                                 significant(point.measured_us(), 4),
                                 significant(us[i], 4),
                                 signed_percent(us[i] / point.measured_us() - 1)};
    if (has_profiled) {
      row.push_back(std::isnan(profiled[i]) ? "-" : significant(profiled[i], 4));
      row.push_back(fixed(point.measured_us() / profiled[i], 2));
    }
    if (has_templates) row.push_back(shortened_name(point.template_arguments));
    table.add_row(row);
  }
  return {titled(v, (v.view.by_time ? "Longest times, with errors of " : "Largest errors of ") +
                        v.predicted[0].name),
          table.text(2)};
}

// The points with warnings, and what the words mean.
Section warnings_section(const Validation& v) {
  const std::vector<PredictionWarnings> warnings = validation_warnings(v);
  TextTable table({"program", "at", "warnings"});
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (warnings[i].empty()) continue;
    table.add_row(
        {shortened_name(v.set.points[i].program), v.set.points[i].at, kinds_text(warnings[i])});
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
    text += "skipped: " + std::to_string(row.points) +
            (row.points == 1 ? " point of " : " points of ") + row.program + ": " + row.why + "\n";
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

std::string shortened_name(const std::string& name) {
  constexpr std::size_t kMost = 56, kStart = 34, kEnd = 19;
  return name.size() <= kMost ? name
                              : name.substr(0, kStart) + "..." + name.substr(name.size() - kEnd);
}

namespace {

// Adds two groups: the points for which `is_such` is false, and those for which it is true. Adds
// none if it is true for no point.
template <class IsSuch>
void add_split(const Validation& v, const std::string& not_such, const std::string& such,
               IsSuch&& is_such, std::vector<FigureGroup>& groups) {
  FigureGroup without{not_such, {}, {}}, with{such, {}, {}};
  for (std::size_t i = 0; i < v.set.points.size(); ++i)
    (is_such(i) ? with : without).points.push_back(i);
  if (with.points.empty()) return;
  for (FigureGroup* group : {&without, &with}) {
    if (group->points.empty()) continue;
    for (const Predicted& p : v.predicted)
      group->of_predictor.push_back(figures_of(v.set.points, p.us, group->points));
    groups.push_back(std::move(*group));
  }
}

}  // namespace

std::vector<FigureGroup> overall_groups(const Validation& v) {
  std::vector<FigureGroup> groups = overall_figures(v.set, v.predicted);
  const std::vector<PredictionWarnings> warnings = validation_warnings(v);
  add_split(
      v, "without tensor cores", "with tensor cores",
      [&](std::size_t i) { return uses_tensor_cores(warnings[i]); }, groups);
  add_split(
      v, "without warnings", "with warnings", [&](std::size_t i) { return !warnings[i].empty(); },
      groups);
  return groups;
}

std::vector<Section> validation_sections(const Validation& v) {
  const std::vector<FigureGroup> programs = program_groups(v);
  Section overall = figures_section(v, "All points", kAllPoints, overall_groups(v), true);
  std::vector<Section> sections{overall, means_section(v, programs)};
  const bool has_ablations = std::any_of(v.predicted.begin(), v.predicted.end(),
                                         [](const Predicted& p) { return p.is_ablation; });
  if (has_ablations) sections.push_back(ablations_section(v, programs));
  std::vector<FigureGroup> several;  // one point has no figures but its error
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(several),
               [](const FigureGroup& group) { return group.points.size() > 1; });
  const bool has_singles = several.size() < programs.size();
  if (v.view.most > 0 && several.size() > v.view.most) several.resize(v.view.most);
  if (!several.empty()) {
    sections.push_back(
        figures_section(v, has_singles ? "By program, with at least two points" : "By program",
                        "program", several, false));
  }
  sections.push_back(worst_section(v));
  for (Section section : {warnings_section(v), profiled_section(v), program_section(v)}) {
    if (!section.text.empty()) sections.push_back(std::move(section));
  }
  return sections;
}

std::string validation_head(const Validation& v) {
  const std::string& other_gpu = v.set.times.other_gpu;
  return (other_gpu.empty() ? "" : "warning: " + other_gpu + "\n") +
         std::to_string(v.set.points.size()) + " points (" + starts_text(v.set.points) +
         " times) of " + programs_text(v) + ", predicted for " + v.set.device.described() +
         ", seed " + std::to_string(v.seed) + ", " + std::to_string(v.replicas) +
         (v.replicas == 1 ? " replica" : " replicas") + ", engine " + v.engine + "\n" +
         cold_text(v) + skipped_text(v) + "\n" + predictors_text(v);
}

std::string validation_text(const Validation& v) {
  std::string text = "experiment validate: " + v.set.times.line + "\n" + validation_head(v);
  for (const Section& section : validation_sections(v)) {
    text += "\n" + section.title + "\n" + section.text;
  }
  return text + "\n" + v.set.times.line + "\n";
}

std::vector<std::string> validation_files() {
  return {"scatter.svg", "errors.svg", "points.csv", "summary.json", "report.md"};
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
