// Where measured times come from: this machine's GPU, or rows recorded before.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/spec.h"
#include "experiments/spec/statistics.h"
#include "gpu/live.h"
#include "simulator/analysis/predict/recorded.h"

namespace pnsim::experiments {

enum class CompareMode { kNone, kAuto, kLive, kRecorded };

// "auto", "live", "recorded", "" (none). Error 2 with the nearest name.
CompareMode parse_compare_mode(const std::string& name);

// What was decided, for every title: never a number without saying where it comes from.
struct Comparison {
  CompareMode source = CompareMode::kNone;  // kLive, kRecorded, or kNone: nothing is compared
  std::string device;                       // folder of results/: "h200"
  std::string reason;                       // why not live; "" when it is, or was not asked for
};

// Decides `auto`. Error 4 for `live` where no kernel can run. `device` is whose recorded times are
// meant.
Comparison decide(CompareMode mode, const std::string& device);

// "recorded, h200", "live, h200", "not compared".
std::string short_text(const Comparison& comparison);
// The sentence for the first and the last line.
std::string long_text(const Comparison& comparison);

// Fills in the measured times from recorded rows. Error 4 naming the first point that has none,
// with the way to get it.
void add_recorded_times(const RecordedResults& recorded, const std::string& mode,
                        std::vector<PointResult>& results);

// The catalogue's point, with uniform input. Error 2 for a program that cannot be run, for problem
// axes other than the program's, and for values that it does not take.
gpu::Point live_point(const SuitePoint& point, const gpu::Input& input = {});

}  // namespace pnsim::experiments
