// The one JSON object a run prints (docs/commands.md), and the screen for people.
#pragma once

#include <optional>
#include <string>

#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/analysis/runs/stopping.h"

namespace pnsim {

struct NetRunReport {
  const Net* net = nullptr;
  std::string input;           // as given
  ParameterValues parameters;  // of the template; empty for a plain net
  RunOptions options;
  ReplicaRuns result;
  std::optional<Stopped> stopped;  // of --rel-error
  std::optional<Reasons> reasons;  // of --reasons
};

struct ModelRunReport {
  const KernelModel* model = nullptr;
  const DeviceProfile* device = nullptr;
  std::string net;
  RunOptions options;
  Prediction prediction;
  std::optional<TimeScale> scale;  // nothing: not fitted for these parameters
  std::string mode = "warm";       // or "cold": of the launches, and of the measured time
  std::optional<MeasuredTime> measured;
  std::optional<Stopped> stopped;       // of --rel-error
  std::optional<Reasons> reasons;       // of --reasons: over all launches,
  std::vector<Reasons> launch_reasons;  // of each
};

// Of a model of one launch, run warm: how long that launch took under the profiler, where the model
// says so.
std::optional<double> profiled_us(const ModelRunReport& report);

// {"l1": 20, "xa": [3, 2]}
Json parameters_json(const ParameterValues& parameters);

Json to_json(const NetRunReport& report);
Json to_json(const ModelRunReport& report);

std::string text_of(const NetRunReport& report);
std::string text_of(const ModelRunReport& report);

// Spreadsheet view: runs of a net one a line; launches of a model one a line, then the total.
std::string csv_of(const NetRunReport& report);
std::string csv_of(const ModelRunReport& report);

}  // namespace pnsim
