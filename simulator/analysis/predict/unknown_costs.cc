#include "simulator/analysis/predict/unknown_costs.h"

#include <algorithm>
#include <initializer_list>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/traffic.h"

namespace pnsim {
namespace {

constexpr const char* kNoCodeFetch =
    "Other kernels ran since this one last did, so it may have to fetch its code, and the profile "
    "of this device does not say what that costs (h100 and h200 have it; `experiment microbench "
    "code_fetch_line code_fetch_jump` measures it): the prediction may be too short.";

constexpr const char* kNoKeptCode =
    "Few other kernels ran since this one last did, and the profile of this device does not say "
    "how much code its SMs keep (h100 and h200 have it; `experiment microbench code_kept` measures "
    "it). The launch is taken to fetch its code: the prediction may be too long.";

constexpr const char* kNoHotStores =
    "Most stores are to lines in one slice of L2, and the profile of this device does not say how "
    "long their requests take there (h200 has it; `experiment microbench busiest_slice` measures "
    "it): the prediction is too short, by a factor of up to ten.";

constexpr const char* kNoDramCode =
    "DRAM reads the code of a launch when it begins, since L2 does not have it, and the profile of "
    "this device does not say what that costs (h200 has it; `experiment microbench code_from_dram` "
    "measures it): the prediction is too short.";

bool has_any(const Launch& launch, std::initializer_list<const char*> counters) {
  return std::any_of(counters.begin(), counters.end(),
                     [&](const char* counter) { return counter_of(launch, counter) > 0; });
}

bool fetches_code(const RecordedPoint& point) {
  return std::any_of(point.launches.begin(), point.launches.end(), [](const Launch& launch) {
    return launch.start == CacheStart::kInPlace &&
           has_any(launch, {kCodeLines, kCodeJumps, kFarCodeLines, kFarCodeJumps});
  });
}

bool may_keep_code(const RecordedPoint& point) {
  constexpr double kMostKept = 128 * 1024;  // bytes: no known SM keeps more
  return std::any_of(point.launches.begin(), point.launches.end(), [](const Launch& launch) {
    return launch.start == CacheStart::kInPlace && has_any(launch, {kCodeSinceBytes}) &&
           counter_of(launch, kCodeSinceBytes) <= kMostKept;
  });
}

// Whether it takes a launch over 5 % of its profiled time that DRAM reads its code, if the device
// were an H200: 48 ns, and 173 for each far jump (code_from_dram).
bool has_code_from_dram(const RecordedPoint& point, double profiled_us) {
  constexpr double kStartUs = 0.048, kFarJumpUs = 0.173, kLeastShare = 0.05;
  return std::any_of(point.launches.begin(), point.launches.end(), [&](const Launch& launch) {
    const double us = kStartUs + kFarJumpUs * counter_of(launch, kFarCodeJumps);
    return launch.start == CacheStart::kInPlace && has_any(launch, {kCodeFromDram}) &&
           us > kLeastShare * profiled_us;
  });
}

bool has_hot_stores(const RecordedPoint& point, const DeviceFacts& facts) {
  return std::any_of(point.launches.begin(), point.launches.end(), [&](const Launch& launch) {
    return hot_requests_per_sector(launch, facts, Heuristics{}) > 0;
  });
}

double profiled_us_of(const KernelModel& model) {
  if (!model.provenance.is_object()) return 0;
  const auto found = model.provenance.find("profiled_us");
  return found != model.provenance.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace

void warn_of_unknown_costs(const KernelModel& model, const RecordedPoint& point,
                           const DeviceProfile& device, PredictionWarnings& out) {
  if (fetches_code(point) && !knows_code_fetch(device)) {
    out.push_back({"code", kNoCodeFetch});
  } else if (may_keep_code(point) && !knows_kept_code(device)) {
    out.push_back({"code", kNoKeptCode});
  } else if (has_code_from_dram(point, profiled_us_of(model)) && !knows_code_from_dram(device)) {
    out.push_back({"code", kNoDramCode});
  }
  if (!knows_hot_stores(device) && has_hot_stores(point, read_device_facts(device)))
    out.push_back({"slices", kNoHotStores});
}

}  // namespace pnsim
