// Reads PNML (ISO/IEC 15909-2 place/transition nets) including the dialects of the tools that
// docs/pnml.md lists.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

struct PnmlNet {
  // Nodes in document order, named by their ids. Goal and observables come from the tool-specific
  // data.
  Net net;
  // The <name> texts of places that differ from their ids, in the order of the places.
  std::vector<std::pair<std::string, PlaceId>> display_names;
};

// `origin` names the file in errors. Error 3, with line and element, for unsupported or invalid
// input: malformed XML, a DOCTYPE, no net or several nets, high-level and timed nets, capacities,
// arc types other than normal and inhibitor, inhibitors with a weight other than 1, repeated ids,
// undefined arc ends and references, cyclic references, and numbers out of range.
PnmlNet read_pnml(std::string_view text, const std::string& origin);

}  // namespace pnsim
