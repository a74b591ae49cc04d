// Several runs of one net with one seed and stream: the replicas 0 ... N - 1.
#pragma once

#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/run.h"
#include "simulator/engine/steady_blocks.h"

namespace pnsim {

enum class EngineKind { kAuto, kReference, kFast };

// "auto", "reference" or "fast"; throws error 2 and names the nearest engine for other text.
EngineKind parse_engine(const std::string& name);
std::string engine_name(EngineKind kind);  // the engine that runs; kAuto gives "fast"

class GpuUse;

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint32_t first_replica = 0;
  std::uint32_t replicas = 1;
  std::uint32_t stream = 0;
  std::uint64_t max_steps = kDefaultMaxSteps;
  unsigned threads = 0;  // 0: one per core
  EngineKind engine = EngineKind::kAuto;
  bool log_conflicts = false;
  bool all_blocks = false;     // simulate all blocks, also those in steady state (steady.h)
  bool lanes = true;           // try the engine for nets of equal lanes (fast_runner.h)
  bool simd = true;            // run several replicas at a time in SIMD registers where that pays
  bool count_reasons = false;  // used by predict(), for each net that it creates
  std::span<const UnitStates> units{};  // used by run_replicas(): states whose steps are counted
  const AlikeBlocks* alike = nullptr;   // used by run_replicas(): blocks it may skip (steady.h)
  GpuUse* gpu = nullptr;  // not null: use a GPU where that pays; must outlive the runs
};

using ConflictCounts = std::vector<std::pair<std::string, ConflictCount>>;

// The number of runs whose final marking is kept; reports show no more than these.
inline constexpr std::size_t kMaxFinalMarkings = 1000;

struct ReplicaRuns {
  std::vector<RunResult> runs;  // [replica - first_replica]
  Outcome outcome;              // the worst over the replicas
  ConflictCounts conflicts;     // summed over the replicas; empty unless requested
};

// Runs the replicas. The result depends neither on the threads nor on the GPU. With a GPU one run
// of each call is also made on the CPU; throws error 70 when the two differ.
ReplicaRuns run_replicas(const Net& net, const RunOptions& options);

// Adds the counts of the same net (or of another instance of its template) to `sum`.
void add_conflicts(ConflictCounts& sum, const ConflictCounts& more);

}  // namespace pnsim
