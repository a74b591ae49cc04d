// Traces of a run: one JSON line per step, a Chrome trace, or a timeline picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/base/extension.h"
#include "simulator/cli/input.h"

namespace pnsim {

inline constexpr std::uint64_t kMaxTraceSteps = 1'000'000;

// {"step": 0, "fired": ["t2.0"], "marking": {"p0": 4, ...}}: the transitions that the step fired,
// in index order, and the marked places after it. A window that begins at step 0 starts with a line
// for the initial marking, whose step is null. Throws error 5 beyond kMaxTraceSteps lines.
std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps, StepWindow window);

// --trace, --timeline, --trace-steps and --launch.
struct TraceOptions {
  std::string trace;       // "", FILE.jsonl, FILE.json (Chrome trace), or "-"
  std::string timeline;    // "", or FILE.svg
  std::string steps;       // "", or "A:B"
  std::size_t launch = 0;  // of a kernel model, from 1; 0: the one with the most predicted steps

  bool is_wanted() const { return !trace.empty() || !timeline.empty(); }
  bool is_lines() const { return trace == "-" || has_extension(trace, ".jsonl"); }
};

// Throws error 2 for another file extension, and for --trace-steps or --launch without a trace.
void check_traces(const TraceOptions& options);

// The run that is traced. All pointers must outlive the traces.
struct TracedRun {
  const Net* net = nullptr;
  const NetTemplate* net_template = nullptr;  // null: the net comes from a file
  const ParameterValues* values = nullptr;    // of the template
  RunId id;
  std::uint64_t max_steps = kDefaultMaxSteps;
  std::string title;               // "" for the name of the net
  std::vector<std::string> notes;  // for the heading of the timeline
  // The steps of the default windows; without a number the whole run.
  std::uint64_t timeline_steps = 200;
  std::optional<std::uint64_t> trace_steps;
};

// All traces that the options ask for, made but not yet written.
class Traces {
 public:
  // Throws error 3 for a net that declares no states of its warps, error 5 for too many steps or
  // bars, and error 2 for too many steps of a timeline.
  Traces(const TraceOptions& options, const TracedRun& run);

  // Writes them. The pictures tell when the run was cut off after their window.
  void write(Outcome outcome);

  // Of the timeline, or of the Chrome trace; null when there is neither.
  const RunPicture* picture() const;

 private:
  TraceOptions options_;
  bool has_goal_ = false;
  std::string lines_;
  std::optional<RunPicture> timeline_, chrome_;
};

}  // namespace pnsim
