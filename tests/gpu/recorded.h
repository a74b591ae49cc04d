// Launches as the recorder would see them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::gpu {

// With blocks of 128 threads.
inline RecordedLaunch launch(const std::string& kernel, std::int64_t grid, double time_us = 1) {
  RecordedLaunch launch;
  launch.kernel = launch.symbol = kernel;
  launch.grid = {grid, 1, 1};
  launch.block = {128, 1, 1};
  launch.time_us = time_us;
  launch.all_times_us = {time_us};
  return launch;
}

// Numbers the launches as the reader does.
inline std::vector<RecordedLaunch> numbered(std::vector<RecordedLaunch> launches) {
  std::map<std::string, std::int64_t> of_kernel;
  std::map<Kind, std::int64_t> of_kind;
  for (RecordedLaunch& one : launches) {
    one.invocation = ++of_kernel[one.symbol];
    one.number = ++of_kind[kind_of(one)];
  }
  return launches;
}

}  // namespace pnsim::gpu
