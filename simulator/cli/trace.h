// A run step by step, one JSON line a step.
#pragma once

#include <string>

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/cli/input.h"

namespace pnsim {

inline constexpr std::uint64_t kMaxTraceSteps = 1'000'000;

// {"step": 0, "fired": ["t2.0"], "marking": {"p0": 4, ...}}: what the step fired, in index order,
// and the non-empty places after it. The first line has step null, nothing fired, and the initial
// marking and stands there when the window begins at step 0. Error 5 beyond kMaxTraceSteps lines.
std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps, StepWindow window);

// --trace, --timeline and --trace-steps.
struct TraceOptions {
  std::string trace;     // "", FILE.jsonl, FILE.json (Chrome trace), or "-"
  std::string timeline;  // "", or FILE.svg
  std::string steps;     // "", or "A:B"

  bool is_wanted() const { return !trace.empty() || !timeline.empty(); }
};

// Writes what is asked for; all is made before anything is written. Error 2 for another extension
// and for --trace-steps without a picture, 3 for a net that names no states of its warps.
void write_traces(const TraceOptions& options, const NetInput& input, RunId id,
                  std::uint64_t max_steps);

}  // namespace pnsim
