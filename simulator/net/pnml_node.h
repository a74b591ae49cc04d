// Reads the net, place and transition elements of PNML. Internal to simulator/net.
#pragma once

#include "simulator/net/pnml_xml.h"

namespace pnsim::pnml {

// The only <net> of the document. Fails for no net, a second net, or a net of a high-level type.
// Any other type is treated as a place/transition net, because tools use many type names.
pugi::xml_node only_net(const Document& document);

// The text of <name>, else the id, else "net".
std::string net_name(pugi::xml_node net);

// The initial marking; 0 when the place states none.
Tokens initial_tokens(const Document& document, pugi::xml_node place);

// Fail, naming the node, for features that the firing rule does not support: capacities, guards,
// markings of high-level nets, time intervals and invariants.
void check_place(const Document& document, pugi::xml_node place);
void check_transition(const Document& document, pugi::xml_node transition);

}  // namespace pnsim::pnml
