// The output of `experiment validate`: tables, CSV, JSON and plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/report/report.h"
#include "experiments/validate/validation_figures.h"

namespace pnsim::experiments {

struct Validation {
  ValidationSet set;
  std::vector<Predicted> predicted;  // the first predictor is the one under validation
  std::uint64_t seed = 1;
  std::uint32_t replicas = 1;
  std::string engine;
  std::string version, commit, date, command;
};

// The sections: mean errors by program, the same for ablations, all figures by program, all figures
// over all points, and the worst points.
std::vector<Section> validation_sections(const Validation& validation);

// States what is compared, the predictors, and which points were skipped.
std::string validation_head(const Validation& validation);

// [point] its warnings, with that of the first predictor's time where it is far from the time under
// the profiler.
std::vector<PredictionWarnings> validation_warnings(const Validation& validation);

// The report for the terminal.
std::string validation_text(const Validation& validation);

// One row per point: a column per axis with its unit, then the times, and the time and the error of
// every predictor.
std::string validation_csv(const Validation& validation);

// Every figure and every point, with the provenance.
Json validation_json(const Validation& validation);

// Pairs of file name and SVG text: predicted over measured times; sorted errors.
std::vector<std::pair<std::string, std::string>> validation_plots(const Validation& validation);

// Writes points.csv, summary.json, report.md and the plots into `folder`. Returns their names.
// Throws error 74 when a file cannot be written.
std::vector<std::string> write_validation(const std::string& folder, const Validation& validation);

}  // namespace pnsim::experiments
