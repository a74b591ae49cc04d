// Inputs that several kernel models use. Each is read only once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "simulator/analysis/predict/recorded.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/template/net_template.h"

namespace pnsim {

// A cache by name for several threads: one thread reads while the others wait. When reading fails,
// every caller gets the error.
template <class Thing>
class ReadOnce {
 public:
  std::shared_ptr<const Thing> get(const std::string& name, const std::function<Thing()>& read) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Thing>& thing = things_[name];
    if (!thing) thing = std::make_shared<const Thing>(read());
    return thing;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Thing>> things_;
};

// Warns when a file has the name of a shipped profile and other facts: recorded times and time
// scales are found by the name, so they would be those of the shipped GPU.
void warn_of_borrowed_name(const DeviceProfile& device);

class SharedInputs {
 public:
  // By name or path, as for --net and --device.
  std::shared_ptr<const NetTemplate> net_template(const std::string& name_or_path);
  std::shared_ptr<const DeviceProfile> device(const std::string& name_or_path);

  // The recorded times of one program on a device, and the time scales of nets.
  std::shared_ptr<const RecordedResults> recorded(const std::string& device,
                                                  const std::string& program);

 private:
  ReadOnce<NetTemplate> nets_;
  ReadOnce<DeviceProfile> devices_;
  ReadOnce<RecordedResults> recorded_;
};

}  // namespace pnsim
