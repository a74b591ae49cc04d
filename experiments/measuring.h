// Taking times on the GPU of this machine and keeping them as rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/comparison.h"
#include "gpu/live.h"
#include "simulator/model/device_profile.h"

namespace pnsim::experiments {

// The catalogue's points: every program with its own axes, or the values given for program, n or
// block. n runs slowest, so that points of one n share one input. Error 2 for an unknown axis or
// program, and for values that a program does not take.
std::vector<gpu::Point> catalogue_points(const std::vector<Axis>& overrides,
                                         const gpu::Input& input);

// The same with the passes to profile: those of gpu::profile_plan, and for other points the first
// and the last.
std::vector<gpu::ProfileItem> catalogue_plan(const std::vector<Axis>& overrides,
                                             const gpu::Input& input);

struct MeasureJob {
  std::vector<gpu::Point> points;
  gpu::Mode mode = gpu::Mode::kWarm;
  gpu::SamplingRules rules;
  std::string file;     // rows are appended as they come
  bool resume = false;  // points with a row in the file are left out
  std::string command;  // for the rows
};

// Returns how many points were measured. `tell` hears of each. Error 4 where no kernel can run;
// error 1 for a program whose result is wrong.
std::size_t measure_all(const MeasureJob& job, const std::function<void(const std::string&)>& tell);

gpu::Mode parse_mode(const std::string& name);  // "warm", "cold"; error 2 with the nearest name

}  // namespace pnsim::experiments
