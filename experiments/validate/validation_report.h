// The output of `experiment validate`: tables, CSV, JSON and plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/report/report.h"
#include "experiments/validate/validation_figures.h"

namespace pnsim::experiments {

// How tables are ordered and cut.
struct ValidationView {
  bool by_time = false;  // the longest measured times first, else the largest errors
  std::size_t most = 0;  // rows of the table by program and of the single points; 0: all programs,
                         // and kWorstShown points
};

struct Validation {
  ValidationSet set;
  std::vector<Predicted> predicted;  // the first predictor is the one under validation
  std::uint64_t seed = 1;
  std::uint32_t replicas = 1;
  std::string engine;
  std::string version, commit, date, command;
  ValidationView view = {};
};

// The sections: all figures over all points, mean errors by program, the same for ablations, all
// figures of programs with two points or more, the worst points, warnings, and for the user's
// points how the measured times lie to those of the profile.
std::vector<Section> validation_sections(const Validation& validation);

// States what is compared, the predictors, and which points were skipped.
std::string validation_head(const Validation& validation);

// [point] its warnings, with that of the first predictor's time where it is far from the time under
// the profiler.
std::vector<PredictionWarnings> validation_warnings(const Validation& validation);

// Over all points, by mode where there are several; then, where a point has warnings, over those
// without and with warnings.
std::vector<FigureGroup> overall_groups(const Validation& validation);

// [point] the time under the profiler in microseconds; NaN where the model does not say it.
std::vector<double> profiled_times(const ValidationSet& set);

// The user's points whose measured time is far from the profiled one; the text is empty where no
// time is profiled.
Section profiled_section(const Validation& validation);

// "all" of a long name, with its start and its end: names of kernels differ in both.
std::string shortened_name(const std::string& name);

// The report for the terminal.
std::string validation_text(const Validation& validation);

// One row per point: a column per axis with its unit, then the times, and the time and the error of
// every predictor.
std::string validation_csv(const Validation& validation);

// Every figure and every point, with the provenance.
Json validation_json(const Validation& validation);

// Pairs of file name and SVG text: predicted over measured times; sorted errors.
std::vector<std::pair<std::string, std::string>> validation_plots(const Validation& validation);

// The names of the files that write_validation() writes.
std::vector<std::string> validation_files();

// Writes points.csv, summary.json, report.md and the plots into `folder`. Returns their names.
// Throws error 74 when a file cannot be written.
std::vector<std::string> write_validation(const std::string& folder, const Validation& validation);

}  // namespace pnsim::experiments
