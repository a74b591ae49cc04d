#include "simulator/net/dot_writer.h"

#include <vector>

namespace pnsim {
namespace {

// A quoted DOT string. Backslashes are doubled because labels read them as escapes.
std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string place_line(const Net& net, PlaceId p, bool is_goal) {
  const std::string name = dot_quoted(net.name_of(p));
  const Tokens tokens = net.initial_marking()[p.value];
  std::string label = name;
  if (tokens > 0) label.insert(label.size() - 1, "\\n" + std::to_string(tokens));
  return "  " + name + " [label=" + label + (is_goal ? ", peripheries=2" : "") + "];\n";
}

std::string arc_line(std::string_view from, std::string_view to, const std::string& attributes) {
  return "  " + dot_quoted(from) + " -> " + dot_quoted(to) +
         (attributes.empty() ? "" : " [" + attributes + "]") + ";\n";
}

std::string weight_label(Tokens weight) {
  return weight == 1 ? "" : "label=" + std::to_string(weight);
}

std::string arc_lines(const Net& net, TransitionId t) {
  const std::string& name = net.name_of(t);
  std::string out;
  for (const Arc& arc : net.inputs(t)) {
    out += arc_line(net.name_of(arc.place), name, weight_label(arc.weight));
  }
  for (const PlaceId p : net.inhibitors(t)) {
    out += arc_line(net.name_of(p), name, "arrowhead=odot");
  }
  for (const Arc& arc : net.outputs(t)) {
    out += arc_line(name, net.name_of(arc.place), weight_label(arc.weight));
  }
  return out;
}

}  // namespace

std::string write_dot(const Net& net) {
  std::vector<char> is_goal(net.place_count(), false);
  for (const PlaceId p : net.goal()) is_goal[p.value] = true;
  for (const TokenRange& range : net.goal_ranges()) is_goal[range.place.value] = true;
  std::string out = "digraph " + dot_quoted(net.name()) + " {\n  node [shape=circle];\n";
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    out += place_line(net, PlaceId{p}, is_goal[p] != 0);
  }
  out += "  node [shape=box];\n";
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    out += "  " + dot_quoted(net.name_of(TransitionId{t})) + ";\n";
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) out += arc_lines(net, TransitionId{t});
  return out + "}\n";
}

}  // namespace pnsim
