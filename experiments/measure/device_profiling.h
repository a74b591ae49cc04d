// Makes the complete profile of the GPU of this machine: facts of the driver, microbenchmarks in
// several rounds, calibration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

struct ProfiledGpu {
  DeviceProfile profile;            // with all facts that predictions need
  std::vector<InputJson> rows;      // of the microbenchmarks, judged (judge_rounds)
  std::size_t rounds = 0;           // how many were run
  std::vector<std::string> unused;  // whole sentences: what was measured and not used
};

using Tell = std::function<void(const std::string&)>;

// The facts that the driver gives of the GPU here, in a profile named `name` ("": derived from the
// driver's name of the GPU). They are read in a process of its own: a process that has asked the
// driver for memory counts as one that uses the GPU. Throws error 4 without a GPU.
DeviceProfile driver_profile(const std::string& name);

// Runs the microbenchmarks that determine facts in three to five rounds, each in a process of its
// own, because launches of a process that has done other work take longer. `command` is recorded in
// the rows; `tell` receives lines of progress. Throws error 4 when facts stay unknown because the
// clock was throttled, other processes used the GPU, or the rounds do not agree.
ProfiledGpu profile_gpu(const DeviceProfile& of_driver, const std::string& command,
                        const Tell& tell);

// The part behind the measurements: the facts of the driver and the rounds become a profile. Throws
// error 4 when a fact that predictions need stays unknown; the message says why and what to do.
ProfiledGpu profile_of_rounds(DeviceProfile of_driver,
                              const std::vector<std::vector<InputJson>>& rounds);

}  // namespace pnsim::experiments
