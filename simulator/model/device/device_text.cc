#include "simulator/model/device/device_text.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/json.h"

namespace pnsim {
namespace {

// What the driver says of a GPU, in the order of a profile.
constexpr const char* kProperties[] = {"sms",
                                       "schedulers_per_sm",
                                       "clock_mhz",
                                       "warp_size",
                                       "max_warps_per_sm",
                                       "max_blocks_per_sm",
                                       "max_threads_per_sm",
                                       "max_threads_per_block",
                                       "registers_per_sm",
                                       "registers_per_block",
                                       "shared_bytes_per_sm",
                                       "shared_bytes_per_block",
                                       "shared_bytes_per_block_optin",
                                       "reserved_shared_bytes_per_block",
                                       "l2_bytes",
                                       "memory_clock_mhz",
                                       "memory_bus_bits",
                                       "memory_bandwidth_peak",
                                       "memory_bytes"};

// Properties in the order of the table, then measured facts in alphabetical order.
std::vector<std::string> keys_in_order(const DeviceProfile& profile) {
  std::vector<std::string> keys;
  for (const char* key : kProperties) {
    if (profile.facts.contains(key)) keys.push_back(key);
  }
  const std::size_t properties = keys.size();
  for (const auto& [key, unused] : profile.facts) {
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(properties);
    if (std::find(keys.begin(), end, key) == end) keys.push_back(key);
  }
  return keys;
}

Json number(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) {
    return Json(static_cast<std::int64_t>(value));
  }
  return Json(value);
}

}  // namespace

std::string device_profile_text(const DeviceProfile& profile) {
  std::string text =
      "{\n  \"$schema\": \"../schema/device.schema.json\",\n  \"kind\": \"device\",\n"
      "  \"version\": 1,\n  \"name\": " +
      Json(profile.name).dump() + ",\n  \"title\": " + Json(profile.title).dump() +
      (profile.estimate.empty() ? "" : ",\n  \"estimate\": " + Json(profile.estimate).dump()) +
      ",\n  \"facts\": {";
  bool first = true;
  for (const std::string& key : keys_in_order(profile)) {
    const DeviceFact& known = profile.facts.at(key);
    const Json fact = {{"value", number(known.value)},
                       {"unit", known.unit},
                       {"source", known.source},
                       {"noise", number(known.noise)}};
    text += std::string(first ? "\n" : ",\n") + "    " + Json(key).dump() + ": " + fact.dump();
    first = false;
  }
  return text + "\n  }\n}\n";
}

}  // namespace pnsim
