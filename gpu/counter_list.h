// The counters asked of the profiler, in one place: what is collected, and what of it feeds what.
//
// Executed warp instructions of a launch, by the three classes of the paper's net:
//   all        = the sum of the counters with use kTotal (one: smsp__inst_executed.sum)
//   global     = the sum of the counters with use kGlobal: global, generic, local, texture, surface
//                and asynchronous accesses, atomics on global memory included
//   shared     = the sum of the counters with use kShared: loads, stores, atomics, matrix loads and
//                stores, and asynchronous stores and reductions into another block's shared memory
//   arithmetic = all - global - shared (branches, barriers and constant loads included)
// These are hardware counters, each of its own opcodes: no instruction is counted twice, and one
// whose threads are all predicated off counts like any other, as it does in the total. A generic
// access (LD, ST, ATOM) counts as global wherever it lands. The smsp__sass_ counters of kFine leave
// out instructions whose threads are all predicated off (the idle warps of a reduction step, say):
// they fit no sum above.
#pragma once

#include <span>
#include <string>

namespace pnsim::gpu {

enum class CounterUse {
  kTotal,
  kGlobal,
  kShared,
  kFine,    // finer classes and per-opcode counts from the code itself: kept beside the three
  kMemory,  // sectors, requests, wavefronts, hits, bytes
  kTime,    // duration, cycles, issue, occupancy
  kStall,   // warps in this state, for each instruction issued
};

struct Counter {
  const char* metric;  // a column of the profiler's raw page
  CounterUse use;
  const char* meaning;  // with the opcodes, where it is of instructions
};

std::span<const Counter> counter_list();

// What the warps of a counter with use kStall do: "long_scoreboard". "" for other counters.
std::string stall_reason(const Counter& counter);

// Sections that add the launch__ columns (grid, block, registers, shared memory, occupancy limits).
std::span<const char* const> section_list();

// All metrics, separated by commas.
std::string metric_argument();

}  // namespace pnsim::gpu
