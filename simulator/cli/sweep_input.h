// Loading what a sweep or a sensitivity varies.
#pragma once

#include "simulator/analysis/sweep/sweep_points.h"
#include "simulator/cli/options.h"

namespace pnsim {

// INPUT with the flags and with every net and device that the axes name. Errors as in input.h.
SweepInput load_sweep_input(const InputOptions& options, const std::vector<Axis>& axes);

}  // namespace pnsim
