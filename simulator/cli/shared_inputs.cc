#include "simulator/cli/shared_inputs.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "simulator/base/data_files.h"

namespace pnsim {
namespace {

// The first fact with another value, or that only one of the two has; "" for none.
std::string first_difference(const DeviceProfile& a, const DeviceProfile& b) {
  for (const auto& [key, fact] : a.facts) {
    const auto it = b.facts.find(key);
    if (it == b.facts.end() || it->second.value != fact.value) return key;
  }
  for (const auto& [key, fact] : b.facts) {
    if (!a.facts.contains(key)) return key;
  }
  return "";
}

}  // namespace

void warn_of_borrowed_name(const DeviceProfile& device) {
  const std::string shipped = data_root() + "/models/devices/" + device.name + ".json";
  std::error_code none;
  if (!std::filesystem::is_regular_file(shipped, none)) return;
  if (std::filesystem::equivalent(shipped, device.file, none)) return;
  const std::string key = first_difference(device, load_device_profile(shipped));
  if (key.empty()) return;
  spdlog::warn(
      "warning: {} has the name \"{}\" of a shipped profile but other facts (the first is {}): "
      "measured times and time scales that are shown with it are those of {}. Change \"name\" in "
      "the file, for example to \"{}\"",
      device.file, device.name, key, device.name,
      std::filesystem::path(device.file).stem().string() == device.name
          ? "my_" + device.name
          : std::filesystem::path(device.file).stem().string());
}

std::shared_ptr<const NetTemplate> SharedInputs::net_template(const std::string& name_or_path) {
  return nets_.get(name_or_path, [&] {
    return load_net_template(find_data_file(name_or_path, {"models/nets"}));
  });
}

std::shared_ptr<const DeviceProfile> SharedInputs::device(const std::string& name_or_path) {
  return devices_.get(name_or_path, [&] {
    DeviceProfile device = load_device_profile(name_or_path);
    warn_of_borrowed_name(device);
    return device;
  });
}

std::shared_ptr<const RecordedResults> SharedInputs::recorded(const std::string& device,
                                                              const std::string& program) {
  // A NUL cannot occur in the name of a folder.
  return recorded_.get(device + '\0' + program,
                       [&] { return RecordedResults::of_program(device, program); });
}

}  // namespace pnsim
