// Tables that lanes gather from, by chance: how large they are, and how fast L2 gives words of
// them.
#pragma once

#include "simulator/model/device/device_profile.h"

namespace pnsim {

// Bytes of the table of which an SM asks for `asked` sectors at random and finds the share `hits`
// in its L1: the more often it asks for each sector, the more often it has it, as far as L1 keeps
// them. 0 where nothing is found again.
double gathered_bytes(double asked, double hits, double l1_bytes);

// Sectors a second of all SMs. Few lines are unevenly spread over L2's slices, and the busiest
// slice tells; measured of tables of 16, 64 and 256 KiB and of large ones (0: unknown, taken for
// large).
double random_l2_rate(const DeviceProfile& device, double table_bytes);

}  // namespace pnsim
