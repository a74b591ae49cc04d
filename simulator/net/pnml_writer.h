// Writes a net as PNML (ISO/IEC 15909-2 place/transition net).
#pragma once

#include <string>

#include "simulator/net/net.h"

namespace pnsim {

// One element a line, nodes in the net's order, ids = names; the same net gives the same bytes.
// PNML has no inhibitor arc: it is written in the two most read dialects at once, the attribute
// type="inhibitor" and the child <type value="inhibitor"/>. Goal and observables are tool-specific
// data of the net, which read_pnml (pnml_reader.h) knows and other tools pass over.
std::string write_pnml(const Net& net);

}  // namespace pnsim
