// The only entry to inference from totals: a profiled launch becomes a launch with programs.
//
// A profile has sums over all warps: how often each instruction was executed, and how many sectors,
// wavefronts and lanes its accesses had. infer_programs() finds programs of single warps that add
// up to these sums. It alone uses these files:
//   active_accesses    executions of a guarded access in which some lane is active
//   dealing            which warp executes what (warp_dealing.cc: blocks, and warps of a block)
//   segmenter          segments, and what their instructions wait for
//   address_sources    whether addresses are computed, loaded, or alike in all blocks
//   requested_sectors  sectors that an earlier load has already requested
// A launch whose warps are known (from a trace, say) needs none of them. Its maker fills
// Launch::warp_kinds, block_kinds and segments with what each warp executed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/model/launch/launch.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// `profiled` has the shape of the launch and its classes, as the raw page has them. The result also
// has the programs, segments, kinds of blocks and unknown opcodes of the source page. The programs
// of all warps add up to the page's executed instructions, class by class. Accesses that the raw
// page does not count are predicated off. Error 3 for a page that a model cannot represent: a loop
// of over 10^9 iterations, or more programs than a model may have.
Launch infer_programs(const Launch& profiled, const SourceTable& page);

// The same launch with its sums alone, in equal shares of all warps.
Launch without_programs(Launch launch);

// Warp instructions of all warps by class of opcode, summed over the programs.
std::map<std::string, std::int64_t> program_classes(const Launch& launch);

}  // namespace pnsim
