// Compares the predictions of two sides: two programs, points or devices. Where does the time
// differ, which side is faster, and why?
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/run_report.h"

namespace pnsim {

struct ComparedSide {
  std::string name;     // of the model
  std::string problem;  // "block=256 n=1048576"
  std::string device;   // title: "NVIDIA H200"
  std::string what_if;  // what the shape of a what-if rests on; "" for a recorded point
  double steps = 0;     // mean over the replicas; where a run was cut off, those until then
  // Predicted; nothing where not every run came to its end. Then there is no time to compare.
  std::optional<double> us;
  Outcome outcome = Outcome::kGoal;
  std::optional<double> measured_us;
  Reasons reasons;
  std::string estimate = "";         // of the device, as in DeviceProfile
  PredictionWarnings warnings = {};  // what the prediction does not cover
};

// [0] side a, [1] side b. Cycles are those of one scheduler: share * steps. Microseconds are
// share * us, so that they add up to the predicted times, also at different clocks; 0 for a side
// without a time.
struct ComparedRow {
  std::string name;
  std::array<double, 2> share{}, cycles{}, us{};
};

struct Comparison {
  std::string net;
  std::string mode;  // "warm" or "cold"
  std::array<ComparedSide, 2> sides;
  std::string other_work;  // axes of the work that differ, on request: "n"; "" for the same work
  std::vector<ComparedRow> reasons;  // the largest difference in time first
  std::vector<ComparedRow> units;    // busy time; in the order of the net
};

// The report must have reasons. `what_if` as in ComparedSide.
ComparedSide compared_side(const ModelRunReport& report, const std::string& what_if);

Comparison compare(const std::string& net, const std::string& mode, ComparedSide a, ComparedSide b);

bool has_times(const Comparison& comparison);  // both sides

// 0 or 1 for the faster side; nothing where the times differ by at most 0.5 %, or where a side has
// none.
std::optional<std::size_t> faster_side(const Comparison& comparison);

// Whole sentences: which side is faster and by how much, what takes the difference, both
// bottlenecks, and whether the measured times agree. Where a side has no time: which, and why.
std::string why_text(const Comparison& comparison);

Json to_json(const Comparison& comparison);
std::string text_of(const Comparison& comparison);
std::string csv_of(const Comparison& comparison);

}  // namespace pnsim
