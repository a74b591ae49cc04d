#include "experiments/spec/comparison.h"

#include "gpu/checked_point.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::experiments {
CompareMode parse_compare_mode(const std::string& name) {
  if (name.empty()) return CompareMode::kNone;
  if (name == "auto") return CompareMode::kAuto;
  if (name == "live") return CompareMode::kLive;
  if (name == "recorded") return CompareMode::kRecorded;
  const std::vector<std::string> known{"auto", "live", "recorded"};
  fail_usage("--compare-gpu=" + name + ": unknown" + suggestion(name, known));
}

Comparison decide(CompareMode mode, const std::string& device) {
  if (mode == CompareMode::kNone || mode == CompareMode::kRecorded) return {mode, device, ""};
  const auto reason = gpu::unavailable_reason();
  if (!reason) return {CompareMode::kLive, device, ""};
  if (mode == CompareMode::kLive) {
    fail_unavailable("--compare-gpu=live: " + *reason + " (--compare-gpu=recorded)");
  }
  return {CompareMode::kRecorded, device, *reason};
}

std::string short_text(const Comparison& comparison) {
  if (comparison.source == CompareMode::kLive) return "live, " + comparison.device;
  if (comparison.source == CompareMode::kRecorded) return "recorded, " + comparison.device;
  return "not compared";
}

std::string long_text(const Comparison& comparison) {
  if (comparison.source == CompareMode::kLive) {
    return "measured times are LIVE: measured on the GPU of this machine (" + comparison.device +
           ")";
  }
  if (comparison.source == CompareMode::kRecorded) {
    return "measured times are RECORDED ones: results/" + comparison.device +
           (comparison.reason.empty() ? "" : "; no live run: " + comparison.reason);
  }
  return "not compared with a GPU (use --compare-gpu)";
}

void add_recorded_times(const RecordedResults& recorded, const std::string& mode,
                        std::vector<PointResult>& results) {
  for (PointResult& result : results) {
    const SuitePoint& point = result.point;
    const auto time = recorded.time(point.program, point.problem, mode);
    if (!time) {
      fail_unavailable(point.program + " " + problem_text(point.problem) + ": no " + mode +
                       " time is recorded in results/" + recorded.device() +
                       "; on a machine with that GPU: experiment measure");
    }
    result.measured_us = time->median_us;
    result.measured_p05_us = time->p05_us;
    result.measured_p95_us = time->p95_us;
    result.measured_source = time->source;
  }
}

gpu::Point live_point(const SuitePoint& point, const gpu::Input& input) {
  return gpu::make_point(point.program, point.problem, input);
}

}  // namespace pnsim::experiments
