#include "simulator/net/pnml_node.h"

#include <boost/algorithm/string.hpp>

namespace pnsim::pnml {
namespace {

// TINA writes <delay><interval><cn>0</cn><ci>infty</ci> for an untimed transition.
bool is_timed(pugi::xml_node transition) {
  const pugi::xml_node interval = child_named(child_named(transition, "delay"), "interval");
  std::string bounds;
  for (const pugi::xml_node bound : interval.children()) bounds += pnml::text_in(bound) + " ";
  return interval && bounds != "0 infty ";
}

}  // namespace

pugi::xml_node only_net(const Document& document) {
  const pugi::xml_node root = document.root();
  if (local_name(root) != "pnml") document.fail(root, "expected <pnml>");
  pugi::xml_node net;
  for (const pugi::xml_node child : root.children()) {
    if (local_name(child) != "net") continue;
    if (net) document.fail(child, "found a second net, expected one");
    net = child;
  }
  if (!net) document.fail(root, "found no <net>, expected one");
  const std::string type = net.attribute("type").value();
  for (const char* high_level : {"symmetricnet", "highlevelnet", "hlpng"}) {
    if (type.find(high_level) != std::string::npos) {
      document.fail(net, "found the type " + type + ", expected a place/transition net");
    }
  }
  return net;
}

std::string net_name(pugi::xml_node net) {
  const std::string name = label_text(net, "name").value_or("");
  if (!name.empty()) return name;
  // Blanks around it are no part of an id, and the writer refuses a name that has them.
  const std::string id = net.attribute("id").value();
  const std::size_t first = id.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "net";
  return id.substr(first, id.find_last_not_of(" \t\r\n") + 1 - first);
}

Tokens initial_tokens(const Document& document, pugi::xml_node place) {
  Tokens absent = 0;
  if (const auto attribute = place.attribute("initialMarking")) {  // TAPAAL
    absent = pnml::parse_count(document, place, attribute.value(), 0);
  }
  return label_count(document, place, "initialMarking", 0, absent);
}

void check_place(const Document& document, pugi::xml_node place) {
  // PIPE writes capacity 0 for a place without a capacity.
  if (label_count(document, place, "capacity", 0, 0) != 0) {
    document.fail(place, "found a capacity, expected a place without one");
  }
  if (child_named(place, "hlinitialMarking")) {
    document.fail(place, "found the marking of a high-level net, expected a number");
  }
  std::string invariant = place.attribute("invariant").value();
  boost::algorithm::erase_all(invariant, " ");
  if (!invariant.empty() && invariant != "<inf") {
    document.fail(place, "found the time invariant " + invariant + ", expected an untimed net");
  }
}

void check_transition(const Document& document, pugi::xml_node transition) {
  for (const char* guard : {"condition", "guard"}) {
    if (child_named(transition, guard)) {
      document.fail(transition, std::string("found a ") + guard + ", expected a transition " +
                                    "without one (high-level nets are not read)");
    }
  }
  if (is_timed(transition)) {
    document.fail(transition, "found a firing interval, expected an untimed net");
  }
}

}  // namespace pnsim::pnml
