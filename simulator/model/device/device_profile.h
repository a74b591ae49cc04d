// What is known about a GPU: every number with its unit, source and noise (models/devices/*.json).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  // Of a profile that was not measured: what it is made from, and that it was never compared with
  // hardware. "" for a measured one.
  std::string estimate = "";
  std::map<std::string, DeviceFact, std::less<>> facts;
  std::string file;  // that it was read from; empty: made in memory, and errors state its name

  // The title; for an estimate with the mark that every prediction repeats.
  std::string described() const;

  // Error 3 with file and pointer when some of these facts are missing. It names all of them, the
  // nearest known key of each, and the commands that make a complete profile.
  void need(const std::vector<std::string>& keys) const;

  // Error 3 with file and pointer; for a missing fact it suggests the nearest key.
  double value(std::string_view key) const;
  // The same, over 0 and up to 1e18: a rate, a latency, a clock.
  double positive(std::string_view key) const;
  // The same as a whole number of at least 1.
  std::int64_t count(std::string_view key) const;
};

// The name of a profile is the name of a file and of a folder: kProfileNames says which are valid.
bool is_profile_name(const std::string& name);
inline constexpr const char* kProfileNames = "letters, digits, '-', '_' and '.', as in my-gpu";

// Error 3 for anything that is not as models/schema/device.schema.json says.
DeviceProfile read_device_profile(const JsonReader& json);

// Whether read_device_profile accepts this value of the fact. True for facts without bounds.
bool is_plausible_fact(std::string_view key, double value);

// By path or by the name of a shipped profile. Error 3 with the nearest name.
DeviceProfile load_device_profile(const std::string& name_or_path);

// Whether load_device_profile finds a file of that name.
bool is_profiled(const std::string& name);

// For a kernel that was profiled on a GPU without a profile: error 3 that says what a profile is,
// the commands that make one, and the GPUs to predict for instead. `where` is the kernel's file.
[[noreturn]] void fail_unknown_gpu(const std::string& where, const std::string& name);

}  // namespace pnsim
