// The results of a run as the JSON object of docs/commands.md, as text and as CSV.
#pragma once

#include <optional>
#include <string>

#include "simulator/analysis/predict/against_default.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/analysis/predict/prediction_warnings.h"
#include "simulator/analysis/predict/recorded.h"
#include "simulator/analysis/runs/stopping.h"

namespace pnsim {

struct NetRunReport {
  const Net* net = nullptr;
  std::string input;           // as typed by the user
  ParameterValues parameters;  // parameters of the template; empty for a plain net
  RunOptions options;
  ReplicaRuns result;
  std::optional<Stopped> stopped;  // with --rel-error
  std::optional<Reasons> reasons;  // with --reasons
};

struct ModelRunReport {
  const KernelModel* model = nullptr;
  const DeviceProfile* device = nullptr;
  std::string net;
  bool step_is_cycle = false;  // of the net
  RunOptions options;
  Prediction prediction;
  std::optional<TimeScale> scale;  // absent when none was fitted for these parameters
  std::string calibrate;           // the command that fits one, or ""; see calibrate_command()
  bool has_times = true;           // recorded on the device, which a fit needs
  std::string mode = "warm";       // or "cold"; applies to the launches and the measured time
  bool is_in_place = false;        // all launches are predicted in their program, none as repeated
  bool is_what_if = false;         // other counts or parameters than those of the GPU; not measured
  std::optional<MeasuredTime> measured;
  std::optional<Stopped> stopped;                 // with --rel-error
  std::optional<Reasons> reasons;                 // with --reasons: over all launches
  std::vector<Reasons> launch_reasons;            // with --reasons: [launch]
  std::optional<AgainstDefault> against_default;  // with --set on a parameter or a count
  PredictionWarnings warnings;                    // what the prediction does not cover
};

// The predicted time in microseconds; nothing without a time scale.
std::optional<double> predicted_us(const ModelRunReport& report);

// Of a model that was profiled on another GPU than it is predicted for: a line that says whose
// counts and whose times are shown. "" otherwise.
std::string profiled_elsewhere_text(const ModelRunReport& report);

// The duration under the profiler in microseconds, for a model with one launch that is run warm.
// Nothing when the model does not record it, and for a what-if.
std::optional<double> profiled_us(const ModelRunReport& report);

// The time of the launch in its program by the profiler, without what the profiler adds
// (expected_time.h). Nothing for short launches, and for one that is predicted as repeated.
std::optional<double> unprofiled_us(const ModelRunReport& report);

// The time to expect of the launch as it was profiled: unprofiled_us(), for short launches the
// prediction. Nothing for a launch that is predicted as repeated, or on a GPU of which it is not
// known what the profiler adds.
std::optional<double> expected_us(const ModelRunReport& report);

// Whether the time scale was fitted to times of other programs than this one.
bool has_borrowed_scale(const ModelRunReport& report);

// Where the time scale comes from, and whether it is borrowed. Needs a scale.
std::string scale_source(const ModelRunReport& report);

// Example: {"l1": 20, "xa": [3, 2]}.
Json parameters_json(const ParameterValues& parameters);

Json to_json(const NetRunReport& report);
Json to_json(const ModelRunReport& report);

std::string text_of(const NetRunReport& report);
std::string text_of(const ModelRunReport& report);

// CSV: one line per run of a net; or one line per launch of a model, then a line with the total.
std::string csv_of(const NetRunReport& report);
std::string csv_of(const ModelRunReport& report);

// The cells of that CSV: [line][column], the header first.
std::vector<std::vector<std::string>> csv_cells(const ModelRunReport& report);

}  // namespace pnsim
