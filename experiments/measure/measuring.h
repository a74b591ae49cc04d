// Taking times on the GPU of this machine and keeping them as rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/spec/comparison.h"
#include "gpu/live.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// The programs that these axes ask for: those that the axis "program" names, else all that have
// every given axis and take every given value (where none does, all that have the axes). Error 2
// for an unknown program, and for an axis that none of them has.
std::vector<std::string> programs_with(const std::vector<Axis>& overrides);

// The catalogue's points: each of programs_with, with its own axes or the values given for them.
// Points that share an input are neighbours, sizes ascending. Error 2 for an axis that a named
// program has not, and for values that a program does not take.
std::vector<gpu::Point> catalogue_points(const std::vector<Axis>& overrides,
                                         const gpu::Input& input);

// Those of programs_with that can be profiled. Error 2 for one that is named and cannot.
std::vector<std::string> profiled_programs(const std::vector<Axis>& overrides);

// Their points with the passes to profile (gpu::profile_item).
std::vector<gpu::ProfileItem> catalogue_plan(const std::vector<Axis>& overrides,
                                             const gpu::Input& input, bool all_passes);

// Whose folder gets the rows: the GPU here; the CPU when there is no GPU and only programs of the
// CPU are measured. Error 4 where a GPU is needed and there is none.
gpu::DeviceFacts measuring_device(const std::vector<gpu::Point>& points);

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

// "warm", "cold", "single"; error 2 with the nearest name.
gpu::Mode parse_mode(const std::string& name);

}  // namespace pnsim::experiments
