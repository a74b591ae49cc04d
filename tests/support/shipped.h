// The shipped net of an SM and a shipped device, read once.
#pragma once

#include "simulator/base/data_files.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim::test {

inline const NetTemplate& sm_net() {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/sm.json");
  return net;
}

inline const DeviceProfile& h200() {
  static const DeviceProfile device = load_device_profile("h200");
  return device;
}

}  // namespace pnsim::test
