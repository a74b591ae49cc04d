// A launch with blocks of another size: a what-if. Threads and programs stay the same; the grid,
// the resident blocks and the order of the warps change.
#pragma once

#include <cstdint>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/launch.h"

namespace pnsim {

// Resident blocks of the launch on an SM of the device, by its limits on warps, blocks, registers
// and shared memory. 0 where not even one block fits.
std::int64_t resident_blocks(const Launch& launch, const DeviceProfile& device);

// True where the device has all facts that resident_blocks() needs.
bool tells_resident_blocks(const DeviceProfile& device);

// The launch with its resident_blocks() on `device`. Error 3 when no block fits.
Launch on_device(Launch launch, const DeviceProfile& device);

// The launch with blocks of `block` threads on `device`.
// - The grid has as many blocks as the same threads need. Registers per thread stay.
// - Shared memory per thread stays, so a block's amount is scaled. The launch does not show whether
//   it is a fixed amount per block.
// - Warps go to the new blocks in their order, each with its program. If a block is not a whole
//   number of warps, the number of warps changes and each kind has its share. Warps without a
//   thread of the old launch have no program.
// - Sums over the launch (classes, counters) stay. So does the imbalance that the data cause. The
//   one that the placement of blocks causes is computed anew.
// Error 3 for a block that the device cannot hold. Error 5 for a launch whose kinds of warps
// alternate too often to be dealt to other blocks in memory.
Launch reshape(const Launch& launch, std::int64_t block, const DeviceProfile& device);

}  // namespace pnsim
