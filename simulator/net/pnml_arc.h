// Determines the kind of a PNML arc in all supported dialects. Internal to simulator/net.
#pragma once

#include "simulator/net/pnml_xml.h"

namespace pnsim::pnml {

// An arc element as it appears in the document.
struct RawArc {
  pugi::xml_node element;
  bool inside_inhibitor = false;  // SNAKES: <inhibitor> encloses the arc
};

struct ArcMeaning {
  bool inhibitor = false;
  Tokens weight = 1;  // 1 ... kMaxTokens; 1 for an inhibitor
};

// True for arc, inputArc, outputArc, inhibitorArc and for unsupported arcs (transportArc).
bool is_arc_element(std::string_view local_name);

// Kind and weight of the arc. Fails, naming the arc, for unknown types, read, test and reset arcs,
// contradicting types, inhibitors with a weight other than 1, time intervals and colours.
ArcMeaning meaning_of(const Document& document, const RawArc& arc);

}  // namespace pnsim::pnml
