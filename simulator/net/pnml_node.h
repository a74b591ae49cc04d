// What the net, place and transition elements of PNML say. Internal to simulator/net.
#pragma once

#include "simulator/net/pnml_xml.h"

namespace pnsim::pnml {

// The one <net> of the document. Fails when there is none, a second one, or one of a high-level
// type; any other type is taken for a place/transition net, as tools name them in many ways.
pugi::xml_node only_net(const Document& document);

// The text of <name>, else the id, else "net".
std::string net_name(pugi::xml_node net);

// 0 when the place says nothing.
Tokens initial_tokens(const Document& document, pugi::xml_node place);

// Fail, naming the node, for what the law does not know: capacities, guards, markings of high-level
// nets, time intervals and invariants.
void check_place(const Document& document, pugi::xml_node place);
void check_transition(const Document& document, pugi::xml_node transition);

}  // namespace pnsim::pnml
