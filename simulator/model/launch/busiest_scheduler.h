// What the profiler counted of the schedulers of a launch.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/model/launch/launch.h"

namespace pnsim {

// Names of counters of a launch: instructions of the busiest scheduler, and of all.
inline constexpr const char* kBusiestScheduler = "busiest_scheduler_instructions";
inline constexpr const char* kAllSchedulers = "executed_instructions";
inline constexpr const char* kProfiledSms = "profiled_sms";

// Schedulers of an SM, as on all devices of the last ten years.
inline constexpr std::int64_t kSchedulersPerSm = 4;

// The number of SMs of the profiled device; none where the counter is absent or invalid.
std::optional<std::int64_t> profiled_sms(const Launch& launch);

}  // namespace pnsim
