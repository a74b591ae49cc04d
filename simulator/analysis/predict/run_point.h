// Runs one input at one point and reports the result, for `pnsim run` and for the rows of a sweep.
#pragma once

#include <optional>

#include "simulator/analysis/predict/run_report.h"
#include "simulator/base/error.h"

namespace pnsim {

struct PointOptions {
  RunOptions run;
  std::optional<StoppingRule> stopping;  // when set, `run.replicas` is ignored
};

// `net` must outlive the report. `input` and `parameters` are copied into the report unchanged.
NetRunReport run_net_point(const Net& net, const std::string& input,
                           const ParameterValues& parameters, const PointOptions& options);

// Adds the breakdown to a report whose runs counted the states of the template.
void add_reasons(const NetTemplate& net_template, NetRunReport& report);

// Everything that `request` points to must outlive the report. `mode` ("warm" or "cold") selects
// the recorded time; with "cold" the point of the request must be that of when_cold().
ModelRunReport run_model_point(const PointRequest& request, const PointOptions& options,
                               const RecordedResults& recorded, const std::string& mode = "warm");

// 5 for a limit; 1 for a declared goal or a precision that was not reached; otherwise 0. A dead
// or fixed marking is an end when no goal is declared.
ExitCode exit_code_of(Outcome worst, bool has_goal);
ExitCode exit_code_of(const NetRunReport& report);
ExitCode exit_code_of(const ModelRunReport& report, const NetTemplate& net_template);

}  // namespace pnsim
