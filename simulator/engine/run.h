// Complete runs of a net by a chosen engine. FastRunner (fast_runner.h) chooses the fastest.
#pragma once

#include <cstdint>
#include <span>

#include "simulator/engine/run_result.h"

namespace pnsim {

class ConflictLog;
struct AlikeBlocks;

// Runs the net with the reference engine. `log` (may be null) also gets every conflict. State times
// are counted for `units`.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                        ConflictLog* log = nullptr, std::span<const UnitStates> units = {});

// The same run by FastEngine, which supports any net.
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                          ConflictLog* log = nullptr, std::span<const UnitStates> units = {});

// The same runs with permission to skip blocks (steady_blocks.h). When the extrapolation fails its
// check, or exceeds max_steps, the run is repeated with all blocks.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                        const AlikeBlocks& alike);
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                          const AlikeBlocks& alike);

}  // namespace pnsim
