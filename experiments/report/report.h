// The report of a run: tables for the terminal, CSV, JSON and plots, all made from its rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/report/analysis.h"

namespace pnsim::experiments {

inline constexpr std::size_t kWorstShown = 10;

struct Section {
  std::string title;  // states the source of the measured times
  std::string text;
};

// Tables of errors, correlations, best values and rankings, each with baselines that know less than
// the net (baselines.h), and of the grid.
std::vector<Section> summary_sections(const RunResults& results, const Analysis& analysis);

// The `most` points with the largest errors, the largest first.
Section points_section(const RunResults& results, const Analysis& analysis, std::size_t most);

// The predicted and the measured best value of the tuning axis, one line per size and program. The
// text is empty without a tuning axis.
Section choices_section(const RunResults& results, const Analysis& analysis);

// Lines that state the net, device, scale, seed and replicas.
std::string head_text(const RunResults& results);

// The report for the terminal. Its first and last lines state the source of the measured times. It
// shows all points, or only the kWorstShown worst ones.
std::string report_text(const RunResults& results, bool all_points);

std::string points_csv(const RunResults& results);
std::string grid_csv(const RunResults& results);  // "" without a grid

// Every figure of the report, with the provenance of the run.
Json summary_json(const RunResults& results);

// Pairs of file name and SVG text: one plot per program, and one of the grid.
std::vector<std::pair<std::string, std::string>> plots(const RunResults& results);

// Writes points.csv, grid.csv, summary.json, report.md and the plots into `folder`. Returns the
// names of the files. Removes grid.csv and grid.svg of an earlier report when this one has none,
// for example when the grid is incomplete. Throws error 74 when a file cannot be written.
std::vector<std::string> write_report(const std::string& folder, const RunResults& results);

// The paths of the files that every report writes, without the plots.
std::vector<std::string> report_files(const std::string& folder);

}  // namespace pnsim::experiments
