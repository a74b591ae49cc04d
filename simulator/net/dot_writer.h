// Writes a net as a GraphViz graph (dot -Tsvg net.dot -o net.svg).
#pragma once

#include <string>

#include "simulator/net/net.h"

namespace pnsim {

// Places are circles with their tokens, and double circles where the goal requires them to be
// empty. Transitions are boxes. Arcs show weights other than 1. Inhibitor arcs end in a circle.
// Equal nets give equal bytes.
std::string write_dot(const Net& net);

}  // namespace pnsim
