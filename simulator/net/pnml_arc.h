// What kind of arc a PNML element is, in every dialect met. Internal to simulator/net.
#pragma once

#include "simulator/net/pnml_xml.h"

namespace pnsim::pnml {

// An arc element as the document has it.
struct RawArc {
  pugi::xml_node element;
  bool inside_inhibitor = false;  // SNAKES: <inhibitor> around the arc
};

struct ArcMeaning {
  bool inhibitor = false;
  Tokens weight = 1;  // 1 ... kMaxTokens; 1 for an inhibitor
};

// True for arc, inputArc, outputArc, inhibitorArc and for arcs that are refused (transportArc).
bool is_arc_element(std::string_view local_name);

// Kind and weight. Fails, naming the arc, for an unknown type, read, test and reset arcs, types
// that contradict each other, inhibitors of a weight other than 1, time intervals and colours.
ArcMeaning meaning_of(const Document& document, const RawArc& arc);

}  // namespace pnsim::pnml
