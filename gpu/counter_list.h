// The counters that are requested from the profiler, and the purpose of each.
//
// The executed warp instructions of a launch form the three classes of the paper's net:
//   all        = the sum of the counters with use kTotal (one: smsp__inst_executed.sum)
//   global     = the sum of the counters with use kGlobal: global, generic, local, texture, surface
//                and asynchronous accesses, atomics on global memory included
//   shared     = the sum of the counters with use kShared: loads, stores, atomics, matrix loads and
//                stores, and asynchronous stores and reductions into another block's shared memory
//   arithmetic = all - global - shared (branches, barriers and constant loads included)
// These are hardware counters of disjoint sets of opcodes, so no instruction is counted twice. They
// include instructions whose threads are all predicated off, and so does the total. A generic
// access (LD, ST, ATOM) counts as global wherever its address lies. The smsp__sass_ counters of
// kFine exclude instructions whose threads are all predicated off, for example the idle warps of a
// reduction step. So they do not fit into the sums above.
#pragma once

#include <span>
#include <string>

namespace pnsim::gpu {

enum class CounterUse {
  kTotal,
  kGlobal,
  kShared,
  kFine,    // finer classes and per-opcode counts from instrumented code: stored in addition
  kMemory,  // sectors, requests, wavefronts, hits, bytes
  kTime,    // duration, cycles, issue, occupancy
  kStall,   // warps in this state per issued instruction
};

struct Counter {
  const char* metric;  // a column of the profiler's raw page
  CounterUse use;
  const char* meaning;  // for instruction counters with the opcodes
};

std::span<const Counter> counter_list();

// The stall reason of a counter with use kStall, for example "long_scoreboard"; "" for other
// counters.
std::string stall_reason(const Counter& counter);

// Sections that add the launch__ columns (grid, block, registers, shared memory, occupancy limits).
std::span<const char* const> section_list();

// All metrics, separated by commas.
std::string metric_argument();

}  // namespace pnsim::gpu
