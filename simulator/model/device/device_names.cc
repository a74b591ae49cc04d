#include "simulator/model/device/device_names.h"

#include "simulator/base/data_files.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim {

std::optional<std::string> profile_name_of(const std::string& title) {
  for (const std::string& name : shipped_names("models/devices")) {
    // By its path: a file of that name may lie in the folder at hand.
    const std::string path = data_root() + "/models/devices/" + name + ".json";
    if (load_device_profile(path).title == title) return name;
  }
  return std::nullopt;
}

}  // namespace pnsim
