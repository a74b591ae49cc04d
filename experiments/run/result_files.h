// Writes and reads the files of a run in its folder. Tables, plots and the report are derived from
// these three files:
//   run.json      the settings of the run, and its provenance
//   points.jsonl  a row per point: the object of `pnsim --model ... --json` with id, axes, training
//                 and error
//   grid.jsonl    a row per cell of the grid: the parameters and the steps of all points in order
// Rows contain neither date nor command, so equal runs leave equal rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/run/grid.h"
#include "experiments/spec/comparison.h"
#include "experiments/spec/suite.h"

namespace pnsim::experiments {

// The source of the time scale when a step is one clock cycle; nothing is fitted then.
inline constexpr const char* kCycleScale = "one step is one cycle of the SM";

struct RunInfo {
  Spec spec;
  Comparison comparison;
  std::string net;
  std::string device;          // the profile that is predicted for: "h200"
  std::string device_title;    // "NVIDIA H200"
  ParameterValues parameters;  // all parameters of the net except those that launches provide
  std::uint64_t seed = 1;
  std::uint32_t replicas = 1;
  std::string engine;
  std::optional<TimeScale> scale;  // absent when it was neither fitted nor recorded
  std::string version, commit, date, command;

  bool step_is_cycle() const { return scale && scale->source == kCycleScale; }
};

struct RunResults {
  RunInfo info;
  std::vector<PointResult> points;  // measured_us is 0 when nothing was compared
  std::vector<GridCell> cells;

  bool is_compared() const { return info.comparison.source != CompareMode::kNone; }
};

// Ids of rows: hashes of what was run. A kernel model enters with its content.
std::string point_id(const Suite& suite, const SuitePoint& point, const RunInfo& info);
std::string cell_id(const std::vector<std::string>& point_ids, const ParameterValues& cell);

Json run_json(const RunInfo& info);
Json point_row(const std::string& id, const Suite& suite, const PointResult& result,
               const Prediction& prediction, const RunInfo& info, const RunOptions& options);
Json cell_row(const std::string& id, const GridCell& cell);

GridCell read_cell(const JsonReader& row);
// Throws error 3 when the cell of this row does not have `points` numbers of steps.
void check_points(const JsonReader& row, const GridCell& cell, std::size_t points);

// "" for a run that came to its end; otherwise a sentence with the number of missing cells.
std::string incomplete_text(const RunResults& results);

// Reads a folder. Throws error 3, with the place, when it does not hold a run.
RunResults load_results(const std::string& folder);

}  // namespace pnsim::experiments
