// The options of several runs of one net.
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
std::string engine_name(EngineKind kind);  // the engine that runs: "fast" for kAuto

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint32_t first_replica = 0;
  std::uint32_t replicas = 1;
  std::uint32_t stream = 0;
  std::uint64_t max_steps = kDefaultMaxSteps;
  unsigned threads = 0;  // 0: one per core
  EngineKind engine = EngineKind::kAuto;
  bool log_conflicts = false;
  bool all_blocks = false;     // simulate all blocks; do not skip blocks in steady state (steady.h)
  bool lanes = true;           // use the lane engine if the net consists of lanes (fast_runner.h)
  bool simd = true;            // run several replicas in SIMD registers where that is faster
  bool ends_fixed = false;     // a run without a goal ends at a fixed marking (engine/run.h)
  bool count_reasons = false;  // predict() counts the reasons of waits in each net
  std::span<const UnitStates> units{};  // run_replicas() counts the times in their states
  const AlikeBlocks* alike = nullptr;   // blocks that run_replicas() may skip (steady.h)
  GpuUse* gpu = nullptr;  // if set, runs on the GPU where that is faster; outlives the runs
};

// The number of runs whose final markings are kept, because reports show them.
inline constexpr std::size_t kMaxFinalMarkings = 1000;

}  // namespace pnsim
