// Writes device profiles in the form of models/devices/*.json.
#pragma once

#include <string>

#include "simulator/model/device/device_profile.h"

namespace pnsim {

// The text of a file in models/devices: properties of the GPU first, then the other facts by name.
std::string device_profile_text(const DeviceProfile& profile);

}  // namespace pnsim
