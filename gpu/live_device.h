// The parts of gpu/live.h that differ between builds with and without CUDA, and the output check
// that they share with host runs.
#pragma once

#include "gpu/input_cache.h"
#include "gpu/live.h"

namespace pnsim::gpu {

// The functions verify and measure of gpu/live.h for programs that need a GPU.
Verification verify_on_device(const Point& point, InputCache& inputs);
Measurement measure_on_device(const Point& point, Mode mode, const SamplingRules& rules,
                              InputCache& inputs);

// Error 1 with the first difference when the output is not the expected one.
void check_output(const Point& point, const Words& found, const Expected& expected);

}  // namespace pnsim::gpu
