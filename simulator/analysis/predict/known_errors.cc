#include "simulator/analysis/predict/known_errors.h"

#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string launches_of(const KnownErrors& errors, const std::string& what) {
  return std::to_string(errors.launches) + " launches of " + what;
}

std::string percent_text(double percent) { return fixed(percent, 1) + " %"; }

std::string text_of(const KnownErrors& errors, const std::string& what) {
  return "half of " + launches_of(errors, what) + " were first predicted within " +
         percent_text(errors.median_percent) + " of their time in the program, 90 % within " +
         percent_text(errors.p90_percent);
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

std::string first_errors_text() {
  return text_of(kFirstErrors, "CUDA programs of others") + "; of " +
         launches_of(kFirstPythonErrors, "PyTorch, Triton, JAX and CuPy") + " within " +
         percent_text(kFirstPythonErrors.median_percent) + " and " +
         percent_text(kFirstPythonErrors.p90_percent);
}

std::string expected_error_text() {
  return "half of " + std::to_string(kUnprofiledErrors.launches) +
         " recorded launches took within " + percent_text(kUnprofiledErrors.median_percent) +
         " of it, 90 % within " + percent_text(kUnprofiledErrors.p90_percent);
}

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
                    : first_errors_text()) +
         (is_compared ? "" : "; these ran on an H100 and an H200, not on this GPU") +
         difference_text(report);
}

}  // namespace pnsim
