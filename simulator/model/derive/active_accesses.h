// Inference: how many executions of a guarded access touch memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/sass/source_page.h"

namespace pnsim {

// [line of the page] executions in which at least one lane is active. For an access without a guard
// these are all. For a guarded one the page's threads and wavefronts are bounds, and the raw page
// (`classes`) has the sum of the class. Between the bounds the sum is divided in proportion.
std::vector<std::int64_t> active_executions(const SourceTable& page,
                                            const std::map<std::string, std::int64_t>& classes);

}  // namespace pnsim
