// Tables that lanes gather from: how large they are, as far as hits in L1 tell, and how fast L2
// delivers random sectors of them.
#pragma once

#include "simulator/model/device/device_facts.h"

namespace pnsim {

// Bytes of a table of which an SM requests `requested` sectors at random and finds the share `hits`
// in its L1. The more often it requests each sector, the more often it finds it, as far as L1 keeps
// them. 0 where nothing is found again: the size is unknown.
double gathered_bytes(double requested, double hits, double l1_bytes);

// Sectors a second that all SMs together read at random from a table of so many bytes (0: unknown,
// taken to be large). Few lines are spread unevenly over L2's slices, and the busiest slice limits
// the rate. Measured for tables of 16, 64 and 256 KiB and for large ones, interpolated between.
double random_l2_rate(const DeviceFacts& facts, double table_bytes);

}  // namespace pnsim
