// Where the sectors of a launch go: L1, L2, DRAM. The traffic of a repeated launch is computed from
// the counters of one profiled launch.
#pragma once

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/memory/access_pattern.h"
#include "simulator/model/memory/load_misses.h"
#include "simulator/model/memory/texture_fetches.h"

namespace pnsim {

struct L1Traffic {
  double load_hits = 0;          // share of the sectors of loads
  double cycles_per_tag = 1;     // of the port: banks serve several look-ups at a time, or conflict
  double sectors_per_fetch = 0;  // sectors that a warp's texture fetch looks up
};

// Wavefronts of the shared-memory port that the launch counts but the source page lacks.
struct UncountedWavefronts {
  double per_access_without_lanes = 0;
  double per_copied_wavefront = 0;     // of the page, that asynchronous copies through L1 write
  double per_bypassing_wavefront = 0;  // the same, of copies that bypass L1
  double per_shared_wavefront = 0;     // accesses that collide
  double beside_special_register = 0;  // wavefronts of other accesses for one special register
};

struct L2Traffic {
  double read_sectors = 0, written_sectors = 0;
  double stores_reaching = 1;  // sectors written at L2 per sector of a store: L1 merges some
  // Sectors read at L2 per sector that misses L1: requests of several SMs for a sector are merged.
  double reads_reaching = 1;
  double misses = 0;   // share of the sectors read, in the profiled launch
  double fetched = 0;  // sectors read from DRAM per sector read at L2
  // Misses that DRAM does not serve, per sector read: the data are in the other partition of L2.
  double crossing = 0;
  // Requests of the busiest slice of L2 per sector written, where many blocks store to the same few
  // lines. 0: slices have about equally many requests, or these were not counted.
  double hot_requests_per_sector = 0;
  // 0: L2 only reads, or only writes; 1: as many sectors of both.
  double mix() const;
};

struct DramTraffic {
  // Share of the profiled misses that still miss when the launch is repeated. The rest of the data
  // stays in L2.
  double repeated_misses = 1;
  double bytes_per_written_sector = 0;  // at DRAM, for one sector written at L2
  // Data that earlier launches had stored and that L2 writes back to make room, for each sector
  // that it takes in: read from DRAM, or stored. As long as the launch's own data fit into L2, all
  // that DRAM writes is of earlier launches.
  double evicted_bytes_per_sector = 0;
  // Share of the written sectors that L2 evicts before they are full. 1: they have one word of
  // eight, as in the microbenchmark; 0: no more is written than was stored. What is still in L2 at
  // the end of the profile makes it too small. An access is charged that share of its partial
  // sectors.
  double partial_evictions = 1;
  double mix = 0;  // 0: DRAM only reads, or only writes; 1: as many bytes of both
};

// Per sector of an atomic; 0: unknown.
struct AtomicTraffic {
  double operations = 0;     // in L2
  double busiest_slice = 0;  // operations in its busiest slice
  double misses = 0;         // share of the operations whose sector misses L2
};

// Per constant load (LDC) of the launch, mean. 0: the lanes of each load agree, or nothing was
// counted.
struct ConstantTraffic {
  double requests_per_load = 0;  // one for each different address of its lanes
  double misses_per_load = 0;    // requests that miss the SM's constant cache
};

struct Traffic {
  ConstantTraffic constants;
  double taken_in = 1;  // sectors that an SM takes in per sector that its bulk copies request
  L1Traffic l1;
  UncountedWavefronts uncounted;
  L2Traffic l2;
  DramTraffic dram;
  AtomicTraffic atomics;
  LoadRows loads;
};

Traffic traffic_of(const Launch& launch, const AccessPatterns& patterns, const DeviceFacts& facts,
                   const Heuristics& heuristics);

// Whether the page counts what SMs take in from L2. Less than half of what L2 reads for them cannot
// be (the profiler counts both in different runs of the launch).
bool counts_taken_in(const Launch& launch);

// Sectors that SMs take in per sector that bulk copies request of L2: 2 where each copy is
// multicast to two blocks of a cluster. 1 where it was not counted.
double taken_in_by_copies(const Launch& launch);

// The stages of traffic_of().
ConstantTraffic constant_traffic(const Launch& launch);
L1Traffic l1_traffic(const Launch& launch, const TextureFetches& fetches);
UncountedWavefronts uncounted_wavefronts(const Launch& launch);
L2Traffic l2_traffic(const Launch& launch, const TextureFetches& fetches,
                     const Heuristics& heuristics);
DramTraffic dram_traffic(const Launch& launch, const AccessPatterns& patterns,
                         const DeviceFacts& facts, const Heuristics& heuristics);
// L2Traffic::hot_requests_per_sector.
double hot_requests_per_sector(const Launch& launch, const DeviceFacts& facts,
                               const Heuristics& heuristics);
AtomicTraffic atomic_traffic(const Launch& launch, const DramTraffic& dram,
                             const DeviceFacts& facts, const Heuristics& heuristics);

// A profiled launch finds none of its data in L2, since the profiler saves and restores memory. A
// repeated launch finds the data that fit into L2. A footprint up to `l2_read_keeps_bytes` (or
// `l2_copy_keeps_bytes`, where half of it is stored) causes no traffic of DRAM. From
// `l2_read_loses_bytes` and `l2_copy_loses_bytes` on, all counted traffic remains; between them the
// share grows linearly (footprint.h).
double repeated_misses(const Launch& launch, const AccessPatterns& patterns,
                       const DeviceFacts& facts, const Heuristics& heuristics);

// The same launch with the part of the profiled DRAM bytes that is left when it is repeated.
Launch when_repeated(Launch launch, const DeviceFacts& facts, const Heuristics& heuristics = {});

}  // namespace pnsim
