#include "simulator/model/device/device_names.h"

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"

namespace pnsim {

ShippedDevices shipped_devices() {
  ShippedDevices out;
  for (const std::string& name : shipped_names("models/devices")) {
    try {
      // By its path: a file of that name may lie in PNSIM_MODEL_PATH.
      out.profiles.push_back(
          load_device_profile(data_root() + "/models/devices/" + name + ".json"));
      out.names.push_back(name);
    } catch (const Error& error) {
      out.faults.emplace_back(error.what());
    }
  }
  return out;
}

std::optional<std::string> profile_name_of(const std::string& title) {
  const ShippedDevices shipped = shipped_devices();
  for (std::size_t i = 0; i < shipped.names.size(); ++i) {
    if (shipped.profiles[i].title == title) return shipped.names[i];
  }
  return std::nullopt;
}

}  // namespace pnsim
