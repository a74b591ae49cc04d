// Inference: how many executions of a guarded access touch memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/sass/source_page.h"

namespace pnsim {

// [line of the page] executions in which at least one lane is active: all executions of an access
// without a guard. For a guarded access the page's threads and wavefronts give bounds, and the raw
// page (`classes`) has the sum over its class. The sum is divided between the bounds in proportion.
std::vector<std::int64_t> active_executions(const SourceTable& page,
                                            const std::map<std::string, std::int64_t>& classes);

}  // namespace pnsim
