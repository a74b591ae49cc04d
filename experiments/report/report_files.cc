// Writes report.md and the files beside it.
#include <algorithm>
#include <filesystem>

#include "experiments/report/report.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

std::string fenced(const std::string& text) { return "```\n" + text + "```\n"; }

std::string provenance_text(const RunInfo& info) {
  return "version  " + info.version + "\ncommit   " + info.commit + "\ndate     " + info.date +
         "\ncommand  " + info.command + "\n";
}

std::string markdown(const RunResults& results, const std::vector<std::string>& plot_names) {
  const RunInfo& info = results.info;
  const std::string source = long_text(info.comparison);
  std::string text = "# Experiment " + info.spec.name + "\n\n" + source + "\n\n" +
                     info.spec.description + "\n\n" + fenced(head_text(results));
  if (results.is_compared()) {
    const Analysis analysis = analyse(results);
    for (const Section& section : summary_sections(results, analysis)) {
      text += "\n## " + section.title + "\n\n" + fenced(section.text);
    }
    for (const std::string& name : plot_names) text += "\n![" + name + "](" + name + ")\n";
    for (const Section& section : {choices_section(results, analysis),
                                   points_section(results, analysis, results.points.size())}) {
      if (!section.text.empty()) text += "\n## " + section.title + "\n\n" + fenced(section.text);
    }
  }
  return text + "\n## Provenance\n\n" + fenced(provenance_text(info)) + "\n" + source + "\n";
}

// A grid of an earlier report, which this one does not have.
void remove_old_grid(const std::string& folder, const std::vector<std::string>& written) {
  for (const std::string name : {"grid.csv", "grid.svg"}) {
    if (std::find(written.begin(), written.end(), name) != written.end()) continue;
    std::error_code ignored;
    std::filesystem::remove(folder + "/" + name, ignored);
  }
}

}  // namespace

std::vector<std::string> report_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {"points.csv", "grid.csv", "summary.json", "report.md"}) {
    files.push_back(folder + "/" + name);
  }
  return files;
}

std::vector<std::string> write_report(const std::string& folder, const RunResults& results) {
  const WideTables for_files;
  std::vector<std::pair<std::string, std::string>> files = plots(results);
  std::vector<std::string> plot_names;
  for (const auto& [name, unused] : files) plot_names.push_back(name);
  files.emplace_back("points.csv", points_csv(results));
  if (!results.cells.empty()) files.emplace_back("grid.csv", grid_csv(results));
  files.emplace_back("summary.json", summary_json(results).dump(1) + "\n");
  files.emplace_back("report.md", markdown(results, plot_names));
  std::vector<std::string> names;
  for (const auto& [name, content] : files) {
    write_file_whole(folder + "/" + name, content);
    names.push_back(name);
  }
  remove_old_grid(folder, names);
  return names;
}

}  // namespace pnsim::experiments
