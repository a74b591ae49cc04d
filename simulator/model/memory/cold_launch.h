// A program whose data are not in L2 when it begins. Its first launch reads the data that it
// touches from DRAM, and nothing hides its start. The later launches hit the data that the first
// one left in L2. They begin a little later than in a graph that is replayed repeatedly.
#pragma once

#include <optional>

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Counters of a launch that was profiled with all caches flushed before it (ncu --cache-control
// all).
inline constexpr const char* kColdMissSectors = "cold_l2_miss_sectors";
inline constexpr const char* kColdReadBytes = "cold_dram_read_bytes";

// Copies these two counters from the same launch, profiled cold, to `launch`. Error 3 at `where`
// when `cold` is another launch, or its profile lacks the misses of L2 or the bytes read from DRAM.
void add_cold_counters(const std::string& where, const std::string& kernel, const Launch& cold,
                       const std::map<std::string, std::int64_t>& memory, Launch& launch);

// Whether the point has the counters that when_cold() needs.
bool tells_cold(const RecordedPoint& point);

// The point as a cold run: its first launch once and cold, then the others. Error 3 when
// tells_cold() is false.
RecordedPoint when_cold(const RecordedPoint& point);

// The facts that a cold launch needs; none where the launch is warm. Error 3 for a device without
// them.
std::optional<ColdStartFacts> cold_start_facts(const Launch& launch, const DeviceProfile& device);

// The extra cycles until the launch begins, compared with one in a warm graph; 0 for a warm launch.
// Measured with empty kernels and with kernels that load: one alone in a graph after a flush of L2,
// and 96 of them in a row.
double cold_start_cycles(const Launch& launch, const DeviceFacts& facts,
                         const std::optional<ColdStartFacts>& cold);

}  // namespace pnsim
