// Traces of a run: one JSON line per step, a Chrome trace, or a timeline picture.
#pragma once

#include <string>

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/cli/input.h"

namespace pnsim {

inline constexpr std::uint64_t kMaxTraceSteps = 1'000'000;

// {"step": 0, "fired": ["t2.0"], "marking": {"p0": 4, ...}}: the transitions that the step fired,
// in index order, and the marked places after it. A window that begins at step 0 starts with a line
// for the initial marking, whose step is null. Throws error 5 beyond kMaxTraceSteps lines.
std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps, StepWindow window);

// --trace, --timeline and --trace-steps.
struct TraceOptions {
  std::string trace;     // "", FILE.jsonl, FILE.json (Chrome trace), or "-"
  std::string timeline;  // "", or FILE.svg
  std::string steps;     // "", or "A:B"

  bool is_wanted() const { return !trace.empty() || !timeline.empty(); }
};

// Creates all requested traces, then writes them. Throws error 2 for another file extension and for
// --trace-steps without a trace, and error 3 for a net that declares no states of its warps.
void write_traces(const TraceOptions& options, const NetInput& input, RunId id,
                  std::uint64_t max_steps);

}  // namespace pnsim
