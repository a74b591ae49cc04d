// The functions verify and measure of gpu/live.h for programs that run on the CPU.
#pragma once

#include "gpu/input_cache.h"
#include "gpu/live.h"

namespace pnsim::gpu {

Verification verify_on_host(const Point& point, InputCache& inputs);

// Warm: repeated runs. Cold: a buffer larger than usual caches is overwritten before each run.
Measurement measure_on_host(const Point& point, Mode mode, const SamplingRules& rules,
                            InputCache& inputs);

}  // namespace pnsim::gpu
