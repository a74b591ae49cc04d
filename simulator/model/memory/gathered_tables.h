// Tables that lanes gather from: their size, estimated from hits in L1, and the rate at which L2
// delivers random sectors of them.
#pragma once

#include "simulator/model/device/device_facts.h"

namespace pnsim {

// The size of a table in bytes. An SM requests `requested` of its sectors at random, and the share
// `hits` of them hits in L1. The smaller the table, the more often a sector is requested again and
// hits, if L1 still has it. 0 where nothing hits: the size is unknown.
double gathered_bytes(double requested, double hits, double l1_bytes);

// Sectors a second that all SMs together read at random from a table of `table_bytes` (0: unknown,
// taken to be large). Few lines are spread unevenly over L2's slices, and the busiest slice limits
// the rate. Measured for tables of 16, 64 and 256 KiB and for large ones, interpolated between.
double random_l2_rate(const DeviceFacts& facts, double table_bytes);

}  // namespace pnsim
