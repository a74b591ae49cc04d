// Where the sectors of a launch go: L1, L2, DRAM. From what the profiler counted in one launch to
// what the same launch does when it is made again and again.
#pragma once

#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/load_misses.h"

namespace pnsim {

struct Traffic {
  double l1_hits = 0;    // share of the sectors of loads
  double l2_writes = 1;  // sectors written at L2 for one of a store to global memory: L1 joins some
  double l2_misses = 0;  // share of the sectors read at L2, in the launch that was profiled
  double still_missed = 1;  // share of these when the launch is repeated: whole parts of the data
  double dram_writes = 0;   // bytes for one sector written at L2
  // Share of the sectors written to DRAM that L2 lets go before they are full: 1 where they have
  // one word of eight, as in the microbenchmark, 0 where no more is written than was stored. What
  // is still in L2 at the end of the profile makes it too small. An access is charged that share of
  // its partial sectors alone: rows of words whose ends are parts pay less than all of them.
  double in_parts = 1;
  double tag_cycles =
      1;  // of the L1 port for one look-up: banks serve several at a time, or conflict
  // Wavefronts of the port of shared memory that were counted and are not of the source page: for
  // one access without a lane; and for one wavefront that the page has, accesses that collide.
  double off_wavefronts = 0, collisions = 0;
  double beside_registers = 0;  // wavefronts of others for one special register
  double sectors_of_fetch = 0;  // that a warp's texture fetch looks up in L1
  double l2_read_sectors = 0, l2_write_sectors = 0;
  double dram_mix = 0;  // 0: DRAM only reads, or only writes; 1: as many of both
  LoadRows rows;
  // 0: L2 only reads, or only writes; 1: as many sectors of both.
  double l2_mix() const;
  // For one sector of an atomic, operations in L2, and in its busiest slice; 0: not known.
  double atomic_operations = 0, busiest_slice = 0;
  double atomic_misses = 0;  // share of these operations that find their sector in DRAM
};

// The profiler finds L2 without the launch's data, or with other data, as it saves and restores
// memory. Back to back, what fits stays: with a footprint up to `l2_read_keeps_bytes` of the
// device, or `l2_copy_keeps_bytes` where half of it is stored, nothing goes to DRAM, from
// `l2_read_loses_bytes` and `l2_copy_loses_bytes` on all that the profiler counted, on a straight
// line between (footprint.h).
Traffic traffic_of(const Launch& launch, const DeviceProfile& device);

// The same launch with what of the profiler's bytes of DRAM is left when it is repeated.
Launch when_repeated(Launch launch, const DeviceProfile& device);

// Does the launch load from global memory, or store there? Atomics count as stores.
bool makes_loads(const Launch& launch);
bool makes_stores(const Launch& launch);

// Bytes that the stores of all warps write, each time anew.
double stored_bytes(const Launch& launch);

}  // namespace pnsim
