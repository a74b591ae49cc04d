// Loops in which warps only wait for other warps.
#pragma once

#include <cstdint>

#include "simulator/model/sass/flow.h"

namespace pnsim {

// Warp instructions executed in spinning loops: short loops that were repeated and whose only
// access waits, such as a test of an mbarrier or a load that must see the stores of other warps
// (.STRONG). How often they repeat depends on timing, so it differs from run to run.
std::int64_t spinning_instructions(const Code& code);

// Makes every warp pass its tests of mbarriers once: the iterations are a result of time, not work.
// Loops around loads of flags keep theirs, since the net has nothing else that waits for a flag.
// `active` [line] (active_accesses.h) shrinks alike.
void settle_spinning(Code& code, std::vector<std::int64_t>& active);

}  // namespace pnsim
