// The native net file: places, transitions, arcs, goal and observables as JSON.
// docs/net_format.md describes it, models/schema/net.schema.json is its schema.
#pragma once

#include <string>

#include "simulator/base/json_reader.h"
#include "simulator/net/net.h"

namespace pnsim {

// Reads the object of a file whose "kind" is "net". Error 3, with the JSON pointer, for anything
// the schema does not allow, names that stand twice and names of places or transitions that are
// not there.
Net read_net_json(const JsonReader& file);

// One place or transition a line; read_net_json gives the same net back. The same net gives the
// same bytes.
std::string write_net_json(const Net& net);

}  // namespace pnsim
