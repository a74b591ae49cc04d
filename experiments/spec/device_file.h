// Builds device profiles (models/devices) from the driver's facts of a GPU, and names devices.
#pragma once

#include <string>

#include "gpu/live.h"
#include "simulator/base/json_reader.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/device/device_text.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::experiments {

// The name of the device for files and folders: that of the profile whose title is the driver's
// name of the GPU, otherwise a name derived from it. "NVIDIA H200" gives "h200", "NVIDIA GeForce
// RTX 4090" gives "geforce-rtx-4090".
std::string device_folder(const std::string& title);

// A profile from facts as gpu::device_facts_json writes them, in the units of the models (MHz,
// byte). Textual facts are skipped, except the driver version, which every source names. Throws
// error 3 when a number that models need is missing.
DeviceProfile profile_of_facts(const JsonReader& facts);

// Adds the facts that only the shipped profile of this name has, so that measured facts survive
// when the driver's facts are written again.
DeviceProfile with_known_facts(DeviceProfile profile);

// The profile of the GPU of this machine: the shipped one with its title, otherwise one made from
// the driver's facts. Throws error 4 without a GPU.
DeviceProfile live_profile();

// A warning that names the facts that predictions need and a written profile lacks, with the
// commands that complete it.
void warn_of_missing_facts(const DeviceProfile& profile);

// Before anything is measured for it: error 4, with the commands that make a profile, when the net
// walks programs and `device` is a GPU without one (only facts of the driver); error 3 that names
// the missing facts when its profile is incomplete. For other nets a GPU without a profile is a
// warning.
void need_profile(const NetTemplate& net, const DeviceProfile& device);

}  // namespace pnsim::experiments
