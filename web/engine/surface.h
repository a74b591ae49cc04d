// Steps over the latencies l1 and l2, for the page.
#pragma once

#include "simulator/base/json_reader.h"

namespace pnsim {

// The requests and answers are those of `surface` and `surfaceRow` in engine.d.ts. Error 3 for a
// missing member and for more than 10,000 points; the errors of `pnsim --model` for a model.
Json surface(const JsonReader& request);
Json surface_row(const JsonReader& request);

}  // namespace pnsim
