#include "simulator/analysis/predict/known_errors.h"

#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string text_of(const KnownErrors& errors, const std::string& what) {
  return "half of " + std::to_string(errors.launches) + " launches of " + what +
         ", each in its program, were first predicted within " + fixed(errors.median_percent, 1) +
         " % of their time, 90 % of them within " + fixed(errors.p90_percent, 1) + " %";
}

// In what the prediction differs from those that the errors are of.
std::string difference_text(const ModelRunReport& report) {
  const bool is_other_gpu = report.model->device != report.device->name;
  std::string text = report.is_in_place ? "" : "of repeated launches";
  if (is_other_gpu) {
    text += (text.empty() ? "" : " and ") + std::string("for another GPU than the profiled one");
  }
  return text.empty() ? "" : "; this prediction is " + text + ": its error may differ";
}

}  // namespace

std::string typical_error_text(const ModelRunReport& report) {
  if (!report.step_is_cycle || !report.scale) return "";
  if (!report.device->estimate.empty()) {
    return "unknown: the profile of this GPU is an estimate, and no time was measured on it";
  }
  if (report.is_what_if) return "unknown: no GPU was measured with this --set";
  const bool is_tensor = are_of_tensor_cores(report.warnings, *report.device);
  if (!report.warnings.empty() && !is_tensor)
    return "unknown, and larger than usual: see the warnings";
  if (report.mode != "warm") return "unknown: no cold launches of programs of others are recorded";
  const bool is_compared = report.device->name == "h200" || report.device->name == "h100";
  return (is_tensor ? text_of(kFirstTensorErrors, "programs of others with tensor cores")
                    : text_of(kFirstErrors, "CUDA programs of others")) +
         (is_compared ? "" : "; these ran on an H100 and an H200, not on this GPU") +
         difference_text(report);
}

}  // namespace pnsim
