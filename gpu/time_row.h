// A measured time as a row of results/<device>/times.jsonl.
#pragma once

#include <string>

#include "gpu/live.h"
#include "simulator/base/json.h"

namespace pnsim::gpu {

// The id of a time row: a hash of the configuration (program, axes, input, mode, device), not of
// the result. So a later measurement of the same point has the same id.
std::string time_row_id(const Point& point, Mode mode, const std::string& device_name);

// {"id","kind":"time","program","axes":{one key per axis},"input":{"distribution","seed"},"mode",
//  "samples","rejected","stop","median_us","p05_us","p95_us","rel_mad",
//  "device":{"name","sms","sm_clock_mhz","driver","cuda"},"commit","date","command"}
// Times cover the whole program, in microseconds. sm_clock_mhz is null where it cannot be read. The
// device of a host program is the CPU, and only its name is given.
Json time_row(const Point& point, Mode mode, const Measurement& measurement,
              const DeviceFacts& device, const std::string& command);

// {"fact": {"value", "unit", "source"}, ...}; a text has the unit null.
Json device_facts_json(const DeviceFacts& device);

}  // namespace pnsim::gpu
