// What is known about a GPU: every number with its unit, source and noise (models/devices/*.json).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "simulator/base/json_reader.h"

namespace pnsim {

struct DeviceFact {
  double value = 0;
  std::string unit;
  std::string source;
  double noise = 0;  // relative spread of the measurement; 0 for a property that does not vary
};

struct DeviceProfile {
  std::string name;   // "h200": the name of its file and of its folder in results/
  std::string title;  // "NVIDIA H200"
  std::map<std::string, DeviceFact, std::less<>> facts;
  std::string file;  // that it was read from; empty: made in memory, and errors state its name

  // Error 3 with file and pointer; for a missing fact it suggests the nearest key.
  double value(std::string_view key) const;
  // The same, over 0 and up to 1e18: a rate, a latency, a clock.
  double positive(std::string_view key) const;
  // The same as a whole number of at least 1.
  std::int64_t count(std::string_view key) const;
};

// Error 3 for anything that is not as models/schema/device.schema.json says.
DeviceProfile read_device_profile(const JsonReader& json);

// By path or by the name of a shipped profile. Error 3 with the nearest name.
DeviceProfile load_device_profile(const std::string& name_or_path);

}  // namespace pnsim
