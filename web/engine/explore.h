// One run of the paper's net for the page: its numbers, and the timeline of warps and schedulers.
#pragma once

#include "simulator/base/json_reader.h"

namespace pnsim {

// The request and the answer (a JSON text) are those of `explore` in engine.d.ts. Throws the errors
// of instantiate() for parameters out of range, and error 3 for an unknown or missing member.
std::string explore(const JsonReader& request);

}  // namespace pnsim
