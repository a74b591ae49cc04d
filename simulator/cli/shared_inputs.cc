#include "simulator/cli/shared_inputs.h"

#include "simulator/base/data_files.h"

namespace pnsim {

std::shared_ptr<const NetTemplate> SharedInputs::net_template(const std::string& name_or_path) {
  return nets_.get(name_or_path, [&] {
    return load_net_template(find_data_file(name_or_path, {"models/nets"}));
  });
}

std::shared_ptr<const DeviceProfile> SharedInputs::device(const std::string& name_or_path) {
  return devices_.get(name_or_path, [&] { return load_device_profile(name_or_path); });
}

std::shared_ptr<const RecordedResults> SharedInputs::recorded(const std::string& device,
                                                              const std::string& program) {
  // A NUL cannot occur in the name of a folder.
  return recorded_.get(device + '\0' + program,
                       [&] { return RecordedResults::of_program(device, program); });
}

}  // namespace pnsim
