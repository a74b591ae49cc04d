// From what the driver says of a GPU to its device profile (models/devices), and names of devices.
#pragma once

#include <string>

#include "gpu/live.h"
#include "simulator/base/json_reader.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// The profile whose title is the driver's name of the GPU, else a name made of it: "NVIDIA H200"
// gives "h200", "NVIDIA GeForce RTX 4090" gives "geforce-rtx-4090". It names files and folders.
std::string device_folder(const std::string& title);

// A profile of facts as gpu::device_facts_json writes them, in units that models use (MHz, byte).
// Facts that are texts stay out, but for the driver, which every source names. Error 3 for one of
// the numbers that models need.
DeviceProfile profile_of_facts(const JsonReader& facts);

// The profile with the facts that only the shipped profile of its name has: what was measured is
// not lost when the driver's facts are written anew.
DeviceProfile with_known_facts(DeviceProfile profile);

// The profile of the GPU of this machine: the shipped one of its title, else one of the driver's
// facts. Error 4 without a GPU.
DeviceProfile live_profile();

// The text of a file of models/devices.
std::string device_profile_text(const DeviceProfile& profile);

}  // namespace pnsim::experiments
