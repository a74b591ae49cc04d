// How several runs of one net are to be made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "simulator/engine/run_result.h"
#include "simulator/engine/steady_blocks.h"

namespace pnsim {

class GpuUse;

enum class EngineKind { kAuto, kReference, kFast };

// "auto", "reference", "fast"; error 2 with the nearest name.
EngineKind parse_engine(const std::string& name);
std::string engine_name(EngineKind kind);  // of the engine that runs: auto is "fast"

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint32_t first_replica = 0;
  std::uint32_t replicas = 1;
  std::uint32_t stream = 0;
  std::uint64_t max_steps = kDefaultMaxSteps;
  unsigned threads = 0;  // 0: one a core
  EngineKind engine = EngineKind::kAuto;
  bool log_conflicts = false;
  bool all_blocks = false;     // none in steady state is left out (steady.h)
  bool lanes = true;           // the net may be made of them (fast_runner.h): look
  bool simd = true;            // several replicas at a time in SIMD registers where that pays
  bool count_reasons = false;  // predict(): of each net that it makes
  std::span<const UnitStates> units{};  // run_replicas(): times in their states are counted
  const AlikeBlocks* alike = nullptr;   // run_replicas(): which may be left out (steady.h)
  GpuUse* gpu = nullptr;  // not null: runs go to the GPU where that pays; it outlives the runs
};

// The number of runs whose final markings are kept, because reports show them.
inline constexpr std::size_t kMaxFinalMarkings = 1000;

}  // namespace pnsim
