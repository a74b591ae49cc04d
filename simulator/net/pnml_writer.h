// Writes a net as PNML (ISO/IEC 15909-2 place/transition net).
#pragma once

#include <string>

#include "simulator/net/net.h"

namespace pnsim {

// Writes one element per line, nodes in the order of the net, ids equal to names. Equal nets give
// equal bytes. PNML has no inhibitor arc, so it is written in the two most common dialects at once:
// the attribute type="inhibitor" and the child <type value="inhibitor"/>. Goal and observables are
// tool-specific data of the net, which read_pnml (pnml_reader.h) reads and other tools ignore.
std::string write_pnml(const Net& net);

}  // namespace pnsim
