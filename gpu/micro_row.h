// Rows of results/<device>/microbench.jsonl.
#pragma once

#include <string>

#include "gpu/live.h"
#include "gpu/microbench.h"
#include "simulator/base/json.h"

namespace pnsim::gpu {

// {"stride_words": 4, "kind": "read"}
Json settings_json(const std::vector<MicroSetting>& settings);

// Hash of bench, settings and device: a repeated measurement has the same id.
std::string micro_row_id(const MicroValue& value, const std::string& device_name);

// {"id", "kind": "micro", "bench", "axes", "value", "unit", "rel_mad", "samples", "device",
//  "sm_clock_mhz", "throttled", "other_processes", "commit", "date", "command"}. The three keys
// behind "device" are null when the driver could not be asked.
Json micro_row(const MicroValue& value, const MicroConditions& conditions,
               const DeviceFacts& device, const std::string& command);

}  // namespace pnsim::gpu
