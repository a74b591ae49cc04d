// What `experiment validate` shows and leaves: tables, CSV, JSON and plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/report/report.h"
#include "experiments/validate/validation_figures.h"

namespace pnsim::experiments {

struct Validation {
  ValidationSet set;
  std::vector<Predicted> predicted;  // the first one is what is validated
  std::uint64_t seed = 1;
  std::uint32_t replicas = 1;
  std::string engine;
  std::string version, commit, date, command;
};

// Mean error by program, the same without modules of the net, all figures by program, all figures
// over all points, the worst points.
std::vector<Section> validation_sections(const Validation& validation);

// What was compared with what, who predicts, what was left out.
std::string validation_head(const Validation& validation);

// The screen.
std::string validation_text(const Validation& validation);

// A row a point; of every predictor its time and its error.
std::string validation_csv(const Validation& validation);

// Every figure and every point, with the provenance.
Json validation_json(const Validation& validation);

// File name and SVG text: predicted over measured times; errors from the smallest to the largest.
std::vector<std::pair<std::string, std::string>> validation_plots(const Validation& validation);

// points.csv, summary.json, report.md and the plots into `folder`. Error 74. Returns their names.
std::vector<std::string> write_validation(const std::string& folder, const Validation& validation);

}  // namespace pnsim::experiments
