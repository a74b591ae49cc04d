// Measures times on the GPU of this machine and stores them as rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/spec/comparison.h"
#include "gpu/live.h"
#include "simulator/base/output_file.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// The programs that the axes select: those named by the axis "program", otherwise all that have
// every given axis and accept every given value (if there are none, all that have the axes). Throws
// error 2 for an unknown program and for an axis that no program has.
std::vector<std::string> programs_with(const std::vector<Axis>& overrides);

// The points of the catalogue for each of programs_with(), with the program's own axes or the given
// values. Points that share an input are neighbours, in ascending size. Throws error 2 for an axis
// that a named program lacks and for values that a program does not accept.
std::vector<gpu::Point> catalogue_points(const std::vector<Axis>& overrides,
                                         const gpu::Input& input);

// The programs of programs_with() that can be profiled. Throws error 2 for a named one that cannot.
std::vector<std::string> profiled_programs(const std::vector<Axis>& overrides);

// The points of these programs with the passes to profile (gpu::profile_item).
std::vector<gpu::ProfileItem> catalogue_plan(const std::vector<Axis>& overrides,
                                             const gpu::Input& input, bool all_passes);

// The device under whose name rows are stored: the GPU of this machine, or the CPU when there is no
// GPU and only CPU programs are measured. Throws error 4 when a GPU is needed and there is none.
gpu::DeviceFacts measuring_device(const std::vector<gpu::Point>& points);

struct MeasureJob {
  std::vector<gpu::Point> points;
  gpu::Mode mode = gpu::Mode::kWarm;
  gpu::SamplingRules rules;
  bool resume = false;  // skip points that already have a row in the file
  std::string command;  // recorded in the rows
};

// Appends a row to `out` as soon as it is measured. Returns the number of measured points; `tell`
// receives a line of progress for each. Throws error 4 when no kernel can run and error 1 for a
// program whose result is wrong.
std::size_t measure_all(const MeasureJob& job, const OutputFile& out,
                        const std::function<void(const std::string&)>& tell);

// Parses "warm", "cold" or "single"; throws error 2 and names the nearest mode for other text.
gpu::Mode parse_mode(const std::string& name);

}  // namespace pnsim::experiments
