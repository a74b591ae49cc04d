// What a prediction does not cover: reasons to trust it less, said where it is printed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/prediction_warning.h"
#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// A word of a warning's kind, and what it says of any launch: for the legend of a table.
std::string meaning_of_warning(const std::string& kind);

// What the prediction of a point for `device` does not cover. On a net that walks programs
// (`walks`) the kinds are "missing": the profile lacks counters; "tensor", "bulk-copy": executed
// instructions of which the net knows the rates and not all waits; "opcode": those that it gives an
// issue slot and no unit; "spinning": warps that repeat a loop until others arrive. On the other
// nets "counts": there are no programs, so no net predicts a time in cycles.
PredictionWarnings warnings_of_point(const KernelModel& model, const RecordedPoint& point,
                                     bool walks, const DeviceProfile& device);

// Whether the point executes instructions of tensor cores.
bool uses_tensor_cores(const PredictionWarnings& warnings);

// Whether all warnings are those that products on tensor cores have (of the tensor cores, of copies
// in bulk, of warps that wait in loops), and the profile of the device has the rates and clocks of
// tensor cores.
bool are_of_tensor_cores(const PredictionWarnings& warnings, const DeviceProfile& device);

// "far": the predicted time is far from the time under the profiler. Both in microseconds.
std::optional<PredictionWarning> warning_of_distance(double predicted_us, double profiled_us);

// "recorded launches of 100 us and more take 0.87 to 1.09, ... times it": how their times
// back to back compare with those under the profiler.
std::string profiled_shares_text();
// The one of them for a launch of this time under the profiler.
std::string profiled_share_text(double profiled_us);

// [{"kind", "text"}]
Json to_json(const PredictionWarnings& warnings);

// "tensor, far"; "" for none.
std::string kinds_text(const PredictionWarnings& warnings);

// Each on lines of its own; "" for none.
std::string text_of(const PredictionWarnings& warnings);

// For a table with a column of kinds_text(): what the words in it mean, and in how many of its
// rows. `rows` has one entry a row; "" where no row has a warning.
std::string legend_of_warnings(const std::vector<PredictionWarnings>& rows);

}  // namespace pnsim
