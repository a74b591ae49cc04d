// The heuristics of the model of an SM as a table (docs/heuristics.md).
#pragma once

#include "experiments/spec/options.h"

namespace pnsim::experiments {

Rendered heuristics_table();

}  // namespace pnsim::experiments
