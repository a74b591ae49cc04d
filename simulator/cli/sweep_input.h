// Loads the input of a sweep or of a sensitivity analysis.
#pragma once

#include "simulator/analysis/sweep/sweep_points.h"
#include "simulator/cli/options.h"

namespace pnsim {

// INPUT with the flags, and every net and device that the axes name. Throws the errors of input.h.
SweepInput load_sweep_input(const InputOptions& options, const std::vector<Axis>& axes);

}  // namespace pnsim
