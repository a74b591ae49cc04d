#include "simulator/analysis/predict/known_errors.h"

#include "simulator/base/table.h"

namespace pnsim {

std::string typical_error_text(const ModelRunReport& report) {
  if (!report.step_is_cycle || !report.scale) return "";
  if (!report.device->estimate.empty()) {
    return "unknown: the profile of this GPU is an estimate, and no time was measured on it";
  }
  if (report.is_what_if) return "unknown: no GPU was measured with this --set";
  if (!report.warnings.empty()) return "unknown, and larger than usual: see the warnings";
  if (report.mode != "warm") return "unknown: no cold launches of programs of others are recorded";
  const bool is_compared = report.device->name == "h200" || report.device->name == "h100";
  return "half of " + std::to_string(kFirstErrors.launches) +
         " launches of CUDA programs of others were first predicted within " +
         fixed(kFirstErrors.median_percent, 1) + " % of their time, 90 % of them within " +
         fixed(kFirstErrors.p90_percent, 1) + " %" +
         (is_compared ? "" : "; these ran on an H100 and an H200, not on this GPU");
}

}  // namespace pnsim
