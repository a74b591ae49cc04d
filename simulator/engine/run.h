// Whole runs of a net by the engine of choice. FastRunner (fast_runner.h) chooses by itself.
#pragma once

#include <cstdint>
#include <span>

#include "simulator/engine/run_result.h"

namespace pnsim {

class ConflictLog;
struct AlikeBlocks;

// Runs the net with the reference engine. `log` (may be null) also gets every conflict; times in
// states are counted for `units`.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                        ConflictLog* log = nullptr, std::span<const UnitStates> units = {});

// The same run by FastEngine, which takes any net.
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                          ConflictLog* log = nullptr, std::span<const UnitStates> units = {});

// These runs where blocks may be left out (steady_blocks.h). Where that turns out to be wrong, or
// the steps to be over max_steps, the run is made again with all.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                        const AlikeBlocks& alike);
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                          const AlikeBlocks& alike);

}  // namespace pnsim
