// A launch of a kernel: its shape, its warps and what they execute.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/program.h"

namespace pnsim {

// Warps of a launch that execute the same program.
struct WarpKind {
  std::int64_t warps = 0;
  std::vector<ProgramItem> program;
};

// Neighbouring blocks of a launch with the same kinds of warps, in warp order.
struct BlockKind {
  struct Warps {
    std::size_t kind = 0;  // [Launch::warp_kinds]
    std::int64_t count = 0;
  };
  std::int64_t blocks = 0;
  std::vector<Warps> warps;
};

// The contents of L2 when a launch begins. kWarm: the launch's own data. kCold: nothing that it
// reads. kBehindCold: what a cold launch before it left there (cold_launch.h). kInPlace: what the
// launches before it in its program left there; its counters of L2 misses and DRAM bytes were taken
// between these (in_place_page.h).
enum class CacheStart { kWarm, kCold, kBehindCold, kInPlace };

// Upper limits of a launch's numbers. They are far over those of any device.
constexpr std::int64_t kMaxRegisters = 1024, kMaxSharedBytes = 1 << 24, kMaxResidentBlocks = 1024;

struct Launch {
  std::string kernel;                  // name without arguments and template brackets
  std::string template_arguments;      // "<int, 4>"; "" for a kernel that is no template
  std::int64_t repeat = 1;             // launches of this kind in a row
  std::int64_t grid = 1;               // blocks
  std::int64_t block = 1;              // threads of a block
  std::int64_t registers = 0;          // per thread
  std::int64_t shared_bytes = 0;       // per block
  std::int64_t resident_blocks = 1;    // blocks that fit on one SM at a time
  std::vector<WarpKind> warp_kinds;    // together they are all warps of the launch
  std::vector<BlockKind> block_kinds;  // in order; empty: the kinds of warps are in warp order
  std::vector<Segment> segments;       // of the programs
  std::map<std::string, std::int64_t> classes;   // finer classes: sums over the launch
  std::map<std::string, std::int64_t> counters;  // of the memory system: sums over the launch
  std::map<std::string, std::int64_t> unknown_opcodes;  // warp instructions of class "other"
  CacheStart start = CacheStart::kWarm;  // in a file kWarm or kInPlace; when_cold() sets the others
  // The predicted time is that of CUPTI's concurrent kernel records, which make each block longer
  // (gpu/record.h). Never in a file: it says how a time that is compared was measured.
  bool is_instrumented = false;

  std::int64_t warps_per_block() const { return (block + 31) / 32; }
};

// The walk over the programs of all kinds of warps; executions are those of all warps together.
template <class Visit>
void for_each_item(const Launch& launch, const Visit& visit) {
  for (const WarpKind& kind : launch.warp_kinds) for_each_item(kind.program, visit, kind.warps);
}

}  // namespace pnsim
