// One input at one point, run and reported: what `pnsim run` prints and a row of a sweep holds.
#pragma once

#include <optional>

#include "simulator/analysis/predict/run_report.h"
#include "simulator/base/error.h"

namespace pnsim {

struct PointOptions {
  RunOptions run;
  std::optional<StoppingRule> stopping;  // then `run.replicas` says nothing
};

// `net` outlives the report. `input` and `parameters` go into the report as they are.
NetRunReport run_net_point(const Net& net, const std::string& input,
                           const ParameterValues& parameters, const PointOptions& options);

// Of runs that counted the states of the template.
void add_reasons(const NetTemplate& net_template, NetRunReport& report);

// What `request` points to outlives the report.
// `mode`: of the recorded time beside it, "warm" or "cold" (a request whose point is when_cold()).
ModelRunReport run_model_point(const PointRequest& request, const PointOptions& options,
                               const RecordedResults& recorded, const std::string& mode = "warm");

// Whether the runs came to their end: none was cut off, or got stuck before a declared goal.
bool came_to_end(Outcome worst, bool has_goal);

// 5 for a limit, 1 for a declared goal or a precision that was not reached, else 0 (a dead marking
// is an end where no goal is declared).
ExitCode exit_code_of(Outcome worst, bool has_goal);
ExitCode exit_code_of(const NetRunReport& report);
ExitCode exit_code_of(const ModelRunReport& report, const NetTemplate& net_template);

}  // namespace pnsim
