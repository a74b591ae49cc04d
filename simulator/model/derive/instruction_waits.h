// What instructions wait for: scoreboards, groups of copies and products, barriers.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

struct ScoreboardWaits {
  // [line] kinds of results that the instruction waits for: bits (1 << LateResult).
  std::vector<std::uint32_t> kinds;
  // [line] of a load: the next wait for loads is for others, and nothing uses the result before the
  // wait after that one.
  std::vector<bool> outlives;
};
ScoreboardWaits scoreboard_waits(const Code& code, const Flow& flow);

// kNone for a product of matrices: the latency of its result is fixed, or a WARPGROUP.DEPBAR waits
// for it.
LateResult late_result_of(const SassInstruction& sass);

// The product whose end a WARPGROUP.DEPBAR waits for: the last one of those issued together (gsb0).
bool ends_group(const CodeLine& line);

// The groups of copies that the most often executed wait (DEPBAR.LE SB0, 0x2) leaves in flight.
int copy_stages_of(const Code& code);

}  // namespace pnsim
