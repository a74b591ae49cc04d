// What a model keeps of a launch's row of the raw page: sums over the launch, by their names in a
// model.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/model/derive/raw_row.h"

namespace pnsim {

// Counters that the page has as they stand, and those that follow from others of a page of `ncu
// --set full`, which has some counters as percentages of what their units could have done in the
// cycles that went by.
std::map<std::string, std::int64_t> kept_counters(const RawRow& row);

}  // namespace pnsim
