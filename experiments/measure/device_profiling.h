// Makes the complete profile of the GPU of this machine: facts of the driver, microbenchmarks in
// several rounds, calibration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

struct ProfilingJob {
  std::string name;     // of the profile; "": derived from the driver's name of the GPU
  std::string command;  // recorded in the rows
};

struct ProfiledGpu {
  DeviceProfile profile;            // with all facts that predictions need
  std::vector<InputJson> rows;      // of the microbenchmarks, judged (judge_rounds)
  std::size_t rounds = 0;           // how many were run
  std::vector<std::string> unused;  // whole sentences: what was measured and not used
};

using Tell = std::function<void(const std::string&)>;

// Runs the microbenchmarks that determine facts in three to five rounds, each in a process of its
// own, because launches of a process that has done other work take longer. `tell` receives lines of
// progress. Throws error 4 without a GPU, and when facts stay unknown because the clock was
// throttled, other processes used the GPU, or the rounds do not agree.
ProfiledGpu profile_gpu(const ProfilingJob& job, const Tell& tell);

// The part behind the measurements: the facts of the driver and the rounds become a profile. Throws
// error 4 when a fact that predictions need stays unknown; the message says why and what to do.
ProfiledGpu profile_of_rounds(DeviceProfile of_driver,
                              const std::vector<std::vector<InputJson>>& rounds);

}  // namespace pnsim::experiments
