// The native net file: places, transitions, arcs, goal and observables as JSON. docs/net_format.md
// describes it; models/schema/net.schema.json is its schema.
#pragma once

#include <string>

#include "simulator/base/json_reader.h"
#include "simulator/net/net.h"

namespace pnsim {

// Reads the object of a file whose "kind" is "net". Error 3, with the JSON pointer, for a schema
// violation, a repeated name, and an undefined place or transition.
Net read_net_json(const JsonReader& file);

// Writes one place or transition per line. read_net_json restores the same net. Equal nets give
// equal bytes.
std::string write_net_json(const Net& net);

}  // namespace pnsim
