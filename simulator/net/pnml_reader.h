// Reads PNML (ISO/IEC 15909-2 place/transition nets) with the dialects of the tools that write it.
// docs/pnml.md lists them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

struct PnmlNet {
  // Nodes in document order, named by their ids; goal and observables from the tool-specific data.
  Net net;
  // The <name> texts of places that differ from their ids, in the order of the places.
  std::vector<std::pair<std::string, PlaceId>> display_names;
};

// `origin` names the file in errors. Error 3, with line and element, for what is no such net:
// malformed XML, a DOCTYPE, no net or several, high-level and timed nets, capacities, arc types
// other than normal and inhibitor, inhibitors of a weight other than 1, doubled ids, ends of arcs
// and references that are not there, cycles of references, numbers out of range.
PnmlNet read_pnml(std::string_view text, const std::string& origin);

}  // namespace pnsim
