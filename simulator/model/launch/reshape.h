// What if a launch had blocks of another size? The same threads and programs in blocks of so many
// threads: grid, resident blocks and the order of warps change, what a warp executes does not.
#pragma once

#include <cstdint>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/launch.h"

namespace pnsim {

// Blocks of the launch that live on one SM of the device at a time, by its limits on warps, blocks,
// registers and shared memory. 0: not even one fits.
std::int64_t resident_blocks(const Launch& launch, const DeviceProfile& device);

// The device has the facts that resident_blocks() needs.
bool tells_resident_blocks(const DeviceProfile& device);

// The launch as `device` would hold it: resident_blocks() of it. Error 3 when no block fits.
Launch on_device(Launch launch, const DeviceProfile& device);

// The launch in blocks of `block` threads on `device`:
// - grid: as many blocks as the same threads need; registers a thread stay;
// - shared memory stays the same a thread (of a block: scaled), which the launch alone cannot tell
//   from a fixed amount a block;
// - warps are dealt to the new blocks in their order, each with its program. Where the warps have
//   another number of lanes (blocks that are no whole number of warps) there are more or fewer of
//   them, and each kind has its share; warps without a thread of the old launch have no program;
// - sums over the launch (classes, counters) stay; of what the busiest
//   scheduler did, the part that was the data's doing.
// Error 3 for a block that the device cannot hold, error 5 for a launch whose warps differ in more
// stretches than fit in memory.
Launch reshape(const Launch& launch, std::int64_t block, const DeviceProfile& device);

}  // namespace pnsim
