// From rows of microbenchmarks to the measured numbers of a device profile.
#pragma once

#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// Lays what `rows` (results/DEVICE/microbench.jsonl) say over the profile's facts: each fact has
// its unit, its noise (the rows' spread) and names the bench and date it comes from. Rows of other
// kinds are passed over. Returns how many facts were set; facts without a row are left as they are.
std::size_t set_measured_facts(const std::vector<InputJson>& rows, DeviceProfile& profile);

}  // namespace pnsim::experiments
