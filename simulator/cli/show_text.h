// Readable listings of nets, templates, kernel models and devices.
#pragma once

#include <string>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"
#include "simulator/net/net.h"

namespace pnsim {

std::string show_net(const Net& net);  // the first 200 places and transitions
std::string show_template(const NetTemplate& net_template, const ParameterValues& used,
                          const Net& net);
std::string show_model(const KernelModel& model, const RecordedPoint& point);
std::string show_device(const DeviceProfile& device);

}  // namespace pnsim
