// What a run shows: tables for people, CSV, JSON and plots, all from its rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/report/analysis.h"

namespace pnsim::experiments {

inline constexpr std::size_t kWorstShown = 10;

struct Section {
  std::string title;  // says where the measured times come from
  std::string text;
};

// Tables on errors, correlations, best values and rankings, each beside guesses that know less
// (baselines.h), and on the grid.
std::vector<Section> summary_sections(const RunResults& results, const Analysis& analysis);

// Points, the largest error first; `most` of them.
Section points_section(const RunResults& results, const Analysis& analysis, std::size_t most);

// Predicted and measured best value of the tuning axis, a line a size and program; empty text
// without a tuning axis.
Section choices_section(const RunResults& results, const Analysis& analysis);

// Lines on net, device, scale, seed, replicas.
std::string head_text(const RunResults& results);

// The screen: the source of the measured times in the first and last line. Of the points the
// worst kWorstShown, or all of them.
std::string report_text(const RunResults& results, bool all_points);

std::string points_csv(const RunResults& results);
std::string grid_csv(const RunResults& results);  // "" without a grid

// Every figure of the report, with the run's provenance.
Json summary_json(const RunResults& results);

// File name and SVG text: one plot a program, and the grid.
std::vector<std::pair<std::string, std::string>> plots(const RunResults& results);

// points.csv, grid.csv, summary.json, report.md and the plots into `folder`. Error 74. Returns the
// names of the files.
std::vector<std::string> write_report(const std::string& folder, const RunResults& results);

}  // namespace pnsim::experiments
