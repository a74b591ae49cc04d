// A run step by step, one JSON line a step.
#pragma once

#include <string>

#include "simulator/engine/run.h"

namespace pnsim {

inline constexpr std::uint64_t kMaxTraceSteps = 1'000'000;

// {"step": 0, "fired": ["t2.0"], "marking": {"p0": 4, ...}}: what the step fired, in index order,
// and the non-empty places after it. The first line has step null, nothing fired, and the initial
// marking. Error 5 beyond kMaxTraceSteps steps.
std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps);

}  // namespace pnsim
