// Writes a net as a GraphViz graph (dot -Tsvg net.dot -o net.svg).
#pragma once

#include <string>

#include "simulator/net/net.h"

namespace pnsim {

// Places are circles with their tokens, double circles where the goal wants them empty;
// transitions are boxes; weights other than 1 stand at the arcs; inhibitor arcs end in a circle.
// The same net gives the same bytes.
std::string write_dot(const Net& net);

}  // namespace pnsim
