// Names of device profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"

namespace pnsim {

// The shipped profiles that can be read, and for each of the others what is wrong with it.
struct ShippedDevices {
  std::vector<DeviceProfile> profiles;  // in the order of `names`
  std::vector<std::string> names;       // of their files
  std::vector<std::string> faults;      // messages that name the file
};
ShippedDevices shipped_devices();

// The name of the shipped profile of the GPU that the driver calls `title`: "NVIDIA H100 80GB HBM3"
// -> "h100". Nothing when no shipped profile has the title.
std::optional<std::string> profile_name_of(const std::string& title);

}  // namespace pnsim
