// The rows a run leaves in its folder, and reading them back. Everything else in the folder
// (tables, plots, report) is made from these three files and can be made again:
//   run.json      what was run, and its provenance
//   points.jsonl  a row a point: what `pnsim --model ... --json` prints, with id, axes, training,
//   error grid.jsonl    a row a cell of the grid: parameters and the steps of all points, in their
//   order
// Rows hold neither date nor command: equal runs leave equal rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/run/grid.h"
#include "experiments/spec/comparison.h"
#include "experiments/spec/suite.h"

namespace pnsim::experiments {

// The source of a time scale that is the clock's: nothing is fitted.
inline constexpr const char* kCycleScale = "one step is one cycle of the SM";

struct RunInfo {
  Spec spec;
  Comparison comparison;
  std::string net;
  std::string device;          // profile the prediction is for: "h200"
  std::string device_title;    // "NVIDIA H200"
  ParameterValues parameters;  // all of the net, but those that launches fill in
  std::uint64_t seed = 1;
  std::uint32_t replicas = 1;
  std::string engine;
  std::optional<TimeScale> scale;  // nothing when there was nothing to fit and none recorded
  std::string version, commit, date, command;

  bool step_is_cycle() const { return scale && scale->source == kCycleScale; }
};

struct RunResults {
  RunInfo info;
  std::vector<PointResult> points;  // measured_us 0 where nothing was compared
  std::vector<GridCell> cells;

  bool is_compared() const { return info.comparison.source != CompareMode::kNone; }
};

// Ids of rows: hashes of what was run. Kernel models count by their content.
std::string point_id(const Suite& suite, const SuitePoint& point, const RunInfo& info);
std::string cell_id(const std::vector<std::string>& point_ids, const ParameterValues& cell);

Json run_json(const RunInfo& info);
Json point_row(const std::string& id, const Suite& suite, const PointResult& result,
               const Prediction& prediction, const RunInfo& info, const RunOptions& options);
Json cell_row(const std::string& id, const GridCell& cell);

GridCell read_cell(const JsonReader& row);
// Error 3 when the cell of this row does not have the steps of so many points.
void check_points(const JsonReader& row, const GridCell& cell, std::size_t points);

// Error 3 with the place for a folder that does not hold a run.
RunResults load_results(const std::string& folder);

}  // namespace pnsim::experiments
