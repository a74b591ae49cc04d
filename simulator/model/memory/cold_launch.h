// A program whose data are not in L2 when it begins: its first launch reads from DRAM what it
// touches for the first time, and nothing hides what it takes to begin; the launches behind it find
// in L2 what the first one left there, and begin a little later than in a graph that is replayed
// again and again.
#pragma once

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// Counters of a launch that was profiled with all caches flushed before it (ncu --cache-control
// all).
inline constexpr const char* kColdMissSectors = "cold_l2_miss_sectors";
inline constexpr const char* kColdReadBytes = "cold_dram_read_bytes";

// The same launch, profiled cold, tells `launch` those two. Error 3 at `where` when it is another
// launch, or was not asked for the misses of L2 and the bytes read from DRAM.
void add_cold_counters(const std::string& where, const std::string& kernel, const Launch& cold,
                       const std::map<std::string, std::int64_t>& memory, Launch& launch);

// Whether when_cold() can tell.
bool tells_cold(const RecordedPoint& point);

// The point as a cold run: its first launch once and cold, then the others. Error 3 when
// tells_cold() is false.
RecordedPoint when_cold(const RecordedPoint& point);

// Cycles that the launch takes longer to begin than one of a warm graph; 0 for one that is warm.
// Measured: empty kernels, and such that load, alone in a graph behind a flush of L2, and 96 of
// them.
double cold_start_cycles(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
