// Times of programs: sums over the launches that the profiled launches represent (`experiment
// profile`). Kinds of launches that were not profiled are in no sum.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/report/report.h"
#include "experiments/validate/validation_report.h"

namespace pnsim::experiments {

// A profiled launch and what it represents (own_times.h).
struct RepresentedLaunches {
  double launches = 0;               // in the program, this one included; 0: not said
  double us = 0;                     // their measured time
  double measured_us = 0;            // of the profiled launch
  std::vector<double> predicted_us;  // [predictor] of the profiled launch
};

struct ProgramSum {
  std::size_t points = 0;  // profiled launches
  double launches = 0;     // that they represent
  double us = 0;           // the measured time of all these
  // The measured times of the profiled launches, each multiplied by the launches that it
  // represents: it differs from `us` where the launches of a kind differ.
  double from_measured_us = 0;
  std::vector<double> predicted_us;  // [predictor] likewise
};

// Leaves out launches that do not say what they represent. All have equally many predictions.
ProgramSum program_sum(std::span<const RepresentedLaunches> launches);

// The user's program; the text is empty where no point says what it represents.
Section program_section(const Validation& validation);

// The same figures; null where no point says what it represents.
Json program_json(const Validation& validation);

// A program of a recording (others_table.h). Predictors: the first prediction, which may be NaN,
// and today's.
struct RecordedProgram {
  std::string kind, name;
  ProgramSum sum;
};

// Errors of the sums of programs, by kind: of the first prediction, of today's, and of measured
// times in their place. Adds a row for each program to `json`. "" for no programs.
std::string program_sums_table(const std::vector<RecordedProgram>& programs, Json& json);

}  // namespace pnsim::experiments
