// Programs of the warps of a launch, read off the profiler's source page.
#pragma once

#include "simulator/model/launch/launch.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// `launch` (shape; classes of the raw page) with the programs, segments, kinds of blocks and the
// unknown opcodes of the page. What all warps execute adds up to the page's executed instructions,
// class by class; accesses that the raw page does not count are predicated off. Error 3 when the
// page says what no program can (loops of over 10^9 iterations, more programs than a model may
// have).
Launch with_programs(Launch launch, const SourceTable& page);

// The same launch with its sums alone, dealt out evenly.
Launch without_programs(Launch launch);

// Warp instructions of all warps by class of opcode, summed over the programs.
std::map<std::string, std::int64_t> program_classes(const Launch& launch);

// Executions of each line that touch memory: all, but for accesses under a guard. Of these the
// page knows how many threads and wavefronts there were, and the raw page (`classes`) the sum of
// the class; in between they are dealt out in proportion.
std::vector<std::int64_t> carried_out_accesses(const SourceTable& page,
                                               const std::map<std::string, std::int64_t>& classes);

}  // namespace pnsim
