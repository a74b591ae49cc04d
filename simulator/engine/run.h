// Complete runs of a net by a chosen engine. FastRunner (fast_runner.h) chooses the fastest.
#pragma once

#include <cstdint>
#include <span>

#include "simulator/engine/run_result.h"

namespace pnsim {

class ConflictLog;
struct AlikeBlocks;

// What a run does at a fixed marking: transitions are enabled, and each of them gives back exactly
// what it takes. Every further step would be like this one (docs/law.md).
enum class AtFixedMarking { kGoOn, kEnd };

// Whether runs of the net may get to such a marking and end there: it has no goal, and a transition
// that changes nothing.
bool may_end_fixed(const Net& net);

// Runs the net with the reference engine. `log` (may be null) also gets every conflict. State times
// are counted for `units`.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                        ConflictLog* log = nullptr, std::span<const UnitStates> units = {},
                        AtFixedMarking at_fixed = AtFixedMarking::kGoOn);

// The same run by FastEngine, which supports any net.
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                          ConflictLog* log = nullptr, std::span<const UnitStates> units = {},
                          AtFixedMarking at_fixed = AtFixedMarking::kGoOn);

// The same runs with permission to skip blocks (steady_blocks.h). When the extrapolation fails its
// check, or exceeds max_steps, the run is repeated with all blocks.
RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                        const AlikeBlocks& alike);
RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                          const AlikeBlocks& alike);

}  // namespace pnsim
