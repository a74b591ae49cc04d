// The parts of gpu/live.h that differ between builds with and without CUDA, and what both share
// with runs on the host.
#pragma once

#include "gpu/input_cache.h"
#include "gpu/live.h"

namespace pnsim::gpu {

// gpu/live.h's verify and measure for the programs that need a GPU.
Verification verify_on_device(const Point& point, InputCache& inputs);
Measurement measure_on_device(const Point& point, Mode mode, const SamplingRules& rules,
                              InputCache& inputs);

// Error 1 with the first difference when the output is not the expected one.
void check_output(const Point& point, const Words& found, const Expected& expected);

}  // namespace pnsim::gpu
