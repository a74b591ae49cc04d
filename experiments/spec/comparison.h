// The source of measured times: the GPU of this machine, or recorded rows.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/spec.h"
#include "experiments/spec/statistics.h"
#include "gpu/live.h"
#include "simulator/analysis/predict/recorded.h"

namespace pnsim::experiments {

enum class CompareMode { kNone, kAuto, kLive, kRecorded };

// Parses "auto", "live", "recorded" or "" (none). Throws error 2 and names the nearest otherwise.
CompareMode parse_compare_mode(const std::string& name);

// The chosen source. Every title shows it, so that no number appears without its source.
struct Comparison {
  CompareMode source = CompareMode::kNone;  // kLive, kRecorded, or kNone (no comparison)
  std::string device;                       // folder of results/: "h200"
  std::string reason;                       // why not live; "" when live or not requested
};

// Resolves `auto`. Throws error 4 for `live` when no kernel can run. `device` is the device whose
// recorded times are used.
Comparison decide(CompareMode mode, const std::string& device);

// "recorded, h200", "live, h200" or "not compared".
std::string short_text(const Comparison& comparison);
// The sentence in the first and the last line of a report.
std::string long_text(const Comparison& comparison);

// Sets the measured times from recorded rows. Throws error 4 for the first point without a row and
// names the command that measures it.
void add_recorded_times(const RecordedResults& recorded, const std::string& mode,
                        std::vector<PointResult>& results);

// The catalogue's point, with uniform input. Throws error 2 for a program that cannot be run, for
// axes other than the program's, and for values that it does not accept.
gpu::Point live_point(const SuitePoint& point, const gpu::Input& input = {});

}  // namespace pnsim::experiments
