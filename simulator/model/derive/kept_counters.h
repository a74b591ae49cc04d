// Counters that a model keeps from a row of the raw page: sums over the launch, by their names in a
// model.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/model/derive/raw_row.h"

namespace pnsim {

// Counters that the page has, and counters that follow from others. A page of `ncu --set full` has
// some counters only as percentages of a unit's maximum over the elapsed cycles.
std::map<std::string, std::int64_t> kept_counters(const RawRow& row);

}  // namespace pnsim
