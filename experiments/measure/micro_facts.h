// Converts rows of microbenchmarks to the measured facts of a device profile.
#pragma once

#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// Sets the facts of `profile` that `rows` (results/DEVICE/microbench.jsonl) determine. Each fact
// gets its unit, its noise (the spread of the rows) and a source that names bench and date. Rows of
// other kinds, and those measured under a throttled clock or beside other processes, are ignored.
// Facts without a row are unchanged, and so are those whose row no GPU can have: a warning names
// them. Returns the number of facts set.
std::size_t set_measured_facts(const std::vector<InputJson>& rows, DeviceProfile& profile);

// The microbenchmarks that determine facts, and the one that measures the clock, in their order.
std::vector<std::string> benches_of_facts();

}  // namespace pnsim::experiments
