#include "simulator/net/pnml_arc.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <vector>

#include "simulator/base/nearest.h"

namespace pnsim::pnml {
namespace {

constexpr std::string_view kNoTime = "[0,inf)";  // the interval that TAPAAL gives an untimed arc

// Finds the SNAKES element <inhibitor>, in the arc or in its inscription.
pugi::xml_node snakes_inhibitor(pugi::xml_node arc) {
  if (const auto direct = child_named(arc, "inhibitor")) return direct;
  return child_named(child_named(arc, "inscription"), "inhibitor");
}

// Every arc type that the element states, in any dialect.
std::vector<std::string> stated_types(const RawArc& arc) {
  std::vector<std::string> types;
  const std::string_view name = local_name(arc.element);
  if (name == "inhibitorArc" || arc.inside_inhibitor) types.emplace_back("inhibitor");
  if (name == "inputArc" || name == "outputArc") types.emplace_back("normal");
  if (const auto attribute = arc.element.attribute("type")) types.emplace_back(attribute.value());
  if (const auto child = child_named(arc.element, "type")) {
    const auto value = child.attribute("value");
    types.push_back(value ? value.value() : *label_text(arc.element, "type"));
  }
  if (const auto text = label_text(arc.element, "arctype")) types.push_back(*text);
  if (snakes_inhibitor(arc.element)) types.emplace_back("inhibitor");
  return types;
}

bool type_is_inhibitor(const Document& document, pugi::xml_node arc, const std::string& type) {
  const std::string lower = boost::algorithm::to_lower_copy(type);
  if (lower == "inhibitor" || lower == "tapninhibitor") return true;
  // timed: the interval is checked separately
  if (lower == "normal" || lower == "timed") return false;
  if (lower == "read" || lower == "test") {
    document.fail(arc, "found a " + lower +
                           " arc, expected a normal or an inhibitor arc "
                           "(a loop of two arcs is not the same: it takes the token for the step)");
  }
  if (lower == "reset") {
    document.fail(arc, "found a reset arc, expected a normal or an inhibitor arc");
  }
  const std::array<std::string, 2> known{"normal", "inhibitor"};
  document.fail(arc, "found the unknown arc type \"" + type + "\"" + suggestion(type, known));
}

bool is_inhibitor(const Document& document, const RawArc& arc) {
  bool inhibitor = false, normal = false;
  for (const std::string& type : stated_types(arc)) {
    (type_is_inhibitor(document, arc.element, type) ? inhibitor : normal) = true;
  }
  if (inhibitor && normal) {
    document.fail(arc.element, "found both the types normal and inhibitor, expected one");
  }
  return inhibitor;
}

// SNAKES inhibitors forbid tokens that match an annotation under a condition. pnsim supports only
// inhibition by any token.
void check_snakes_inhibitor(const Document& document, pugi::xml_node arc, pugi::xml_node element) {
  const auto fail = [&](const char* found) {
    document.fail(arc, std::string("found an inhibitor ") + found + ", expected one for any token");
  };
  const pugi::xml_node annotation = child_named(element, "annotation");
  const pugi::xml_node value = child_named(annotation, "value");
  if (child_named(annotation, "multiarc")) fail("of a weight other than 1");
  if (child_named(annotation, "expression")) fail("for an expression");
  if (value && !child_named(value, "token")) fail("for one value");
  const auto condition = label_text(child_named(element, "condition"), "expression");
  if (condition && *condition != "True") fail("with a condition");
}

// Reads the weight attribute of TAPAAL: weight="2", or inscription="2" in an untimed net.
Tokens attribute_weight(const Document& document, pugi::xml_node arc) {
  const pugi::xml_attribute weight = arc.attribute("weight");
  std::string inscription = arc.attribute("inscription").value();
  boost::algorithm::erase_all(inscription, " ");
  if (inscription.starts_with('[') || inscription.starts_with('(')) {
    if (inscription != kNoTime) {
      document.fail(arc, "found the time interval " + inscription + ", expected an untimed net");
    }
    inscription.clear();
  }
  if (weight) return parse_count(document, arc, weight.value(), 1);
  return inscription.empty() ? 1 : parse_count(document, arc, inscription, 1);
}

Tokens weight_of(const Document& document, pugi::xml_node arc) {
  if (child_named(arc, "hlinscription")) {
    document.fail(arc, "found the inscription of a high-level net, expected a number");
  }
  if (const auto snakes = snakes_inhibitor(arc)) {
    check_snakes_inhibitor(document, arc, snakes);
    return 1;
  }
  return label_count(document, arc, "inscription", 1, attribute_weight(document, arc));
}

}  // namespace

bool is_arc_element(std::string_view name) { return name == "arc" || name.ends_with("Arc"); }

ArcMeaning meaning_of(const Document& document, const RawArc& arc) {
  const std::string_view name = local_name(arc.element);
  const std::array<std::string_view, 4> known{"arc", "inputArc", "outputArc", "inhibitorArc"};
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    document.fail(arc.element, "found an unknown kind of arc, expected a normal or an inhibitor");
  }
  const ArcMeaning meaning{is_inhibitor(document, arc), weight_of(document, arc.element)};
  if (meaning.inhibitor && meaning.weight != 1) {
    document.fail(arc.element, "found an inhibitor of weight " + std::to_string(meaning.weight) +
                                   ", expected weight 1 (inhibited by any token)");
  }
  return meaning;
}

}  // namespace pnsim::pnml
