#include "simulator/cli/show_text.h"

#include <algorithm>
#include <set>

#include "simulator/base/short_names.h"
#include "simulator/base/table.h"
#include "simulator/cli/show_program.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kMaxShown = 200;
constexpr std::size_t kMaxValuesShown = 8;

std::string weighted(const std::string& place, const std::string& weight) {
  return weight == "1" ? place : place + " (" + weight + ")";
}

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

std::string arcs_text(const Net& net, std::span<const Arc> arcs) {
  std::string text;
  for (const Arc& arc : arcs)
    append(text, weighted(net.name_of(arc.place), std::to_string(arc.weight)));
  return text;
}

std::string arcs_text(const NetTemplate& net, const std::vector<ArcSpec>& arcs) {
  std::string text;
  for (const ArcSpec& arc : arcs) {
    std::string place = net.places[static_cast<std::size_t>(arc.place)].name;
    if (arc.index) place += "[" + arc.index->text() + "]";
    append(text, weighted(place, arc.weight.text()));
  }
  return text;
}

std::string goal_text(const Net& net) {
  if (!net.has_goal()) return "goal: none (the run ends at a dead marking)\n";
  std::set<std::string> groups;
  for (const PlaceId p : net.goal()) groups.insert(std::string(net.group_of(p)));
  std::string text;
  for (const std::string& group : groups) append(text, group + " = 0");
  if (!net.goal().empty()) text += " (" + std::to_string(net.goal().size()) + " places)";
  const Net others = net.with_goal({{}, net.goal_ranges()});
  for (const std::string& condition : goal_texts(others)) append(text, condition);
  return "goal: " + text + "\n";
}

std::string values_text(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMaxValuesShown); ++i) {
    append(text, std::to_string(values[i]));
  }
  return values.size() <= kMaxValuesShown ? text : text + ", ...";
}

std::string size_text(const Net& net) {
  return grouped(static_cast<long long>(net.place_count())) + " places, " +
         grouped(static_cast<long long>(net.transition_count())) + " transitions\n";
}

// "5 arithmetic + 0 shared + 1 global, 12 x (...)": brackets are closed where the depth falls.
std::string program_text(const std::vector<ProgramItem>& program) {
  std::string text;
  int depth = 0;
  for_each_item(program, [&](const ProgramPlace& place) {
    for (; depth > place.depth; --depth) text += ")";
    if (!text.empty() && !text.ends_with('(')) text += ", ";
    const InstructionCounts& counts = place.item.counts;
    if (place.is_loop()) {
      text += std::to_string(place.item.repeat) + " x (";
      ++depth;
    } else {
      text += std::to_string(counts.arithmetic) + " arithmetic + " + std::to_string(counts.shared) +
              " shared + " + std::to_string(counts.global) + " global";
    }
  });
  return text + std::string(static_cast<std::size_t>(depth), ')');
}

}  // namespace

std::string show_net(const Net& net) {
  std::string text = "net " + net.name() + ": " + size_text(net) + goal_text(net) + "\n";
  TextTable places({"place", "tokens"});
  for (std::uint32_t p = 0; p < std::min<std::size_t>(net.place_count(), kMaxShown); ++p) {
    places.add_row({net.name_of(PlaceId{p}), grouped(net.initial_marking()[p])});
  }
  TextTable transitions({"transition", "takes", "gives", "inhibited by"});
  for (std::uint32_t i = 0; i < std::min<std::size_t>(net.transition_count(), kMaxShown); ++i) {
    const TransitionId t{i};
    std::string inhibitors;
    for (const PlaceId p : net.inhibitors(t)) append(inhibitors, net.name_of(p));
    transitions.add_row({net.name_of(t), arcs_text(net, net.inputs(t)),
                         arcs_text(net, net.outputs(t)), inhibitors});
  }
  text += places.text() + "\n" + transitions.text();
  if (std::max(net.place_count(), net.transition_count()) > kMaxShown) {
    text += "only the first " + std::to_string(kMaxShown) + " of each are shown\n";
  }
  return text;
}

std::string show_template(const NetTemplate& net_template, const ParameterValues& used,
                          const Net& net) {
  std::string text = "net template " + net_template.name + "\n" + net_template.description + "\n\n";
  TextTable parameters({"parameter", "value", "default", "unit", "meaning", "source"});
  for (const ParameterSpec& p : net_template.parameters) {
    parameters.add_row({p.name, values_text(used.at(p.name)), std::to_string(p.default_value),
                        p.unit, p.meaning, p.source});
  }
  TextTable places({"place", "scope", "tokens", "meaning"});
  for (const PlaceSpec& p : net_template.places) {
    places.add_row({p.name, net_template.scopes[static_cast<std::size_t>(p.scope)].name,
                    p.tokens.text(), p.meaning});
  }
  TextTable transitions({"transition", "takes", "gives", "inhibited by", "meaning"});
  for (const TransitionSpec& t : net_template.transitions) {
    transitions.add_row({t.name, arcs_text(net_template, t.takes), arcs_text(net_template, t.gives),
                         arcs_text(net_template, t.inhibited_by), t.meaning});
  }
  return text + parameters.text() + "\n" + places.text() + "\n" + transitions.text() +
         "\nexpands to " + size_text(net) + goal_text(net);
}

std::string show_model(const KernelModel& model, const RecordedPoint& point) {
  std::string text = "kernel model " + model.name + "\n" + model.description + "\n";
  text += "net " + model.net + ", device " + model.device + ", " +
          std::to_string(model.points.size()) + " recorded points\n";
  for (const std::string& axis : model.axes()) {
    std::set<std::int64_t> values;
    for (const RecordedPoint& p : model.points) values.insert(p.problem.at(axis));
    text += "axis " + axis + ":";
    for (const std::int64_t v : values) text += " " + std::to_string(v);
    text += "\n";
  }
  text +=
      "provenance: " + model.provenance.dump() + "\n\npoint " + problem_text(point.problem) + "\n";
  TextTable table({"launch", "repeat", "grid", "block", "registers", "shared bytes", "resident",
                   "warps", "program of a warp"});
  std::string programs;
  for (const Launch& launch : point.launches) {
    programs += show_programs(launch);
    for (const WarpKind& kind : launch.warp_kinds) {
      table.add_row({short_kernel(launch.kernel, launch.template_arguments),
                     std::to_string(launch.repeat), std::to_string(launch.grid),
                     std::to_string(launch.block), std::to_string(launch.registers),
                     std::to_string(launch.shared_bytes), std::to_string(launch.resident_blocks),
                     std::to_string(kind.warps),
                     launch.segments.empty() ? program_text(kind.program) : "below"});
    }
  }
  return text + table.text() + programs;
}

std::string show_device(const DeviceProfile& device) {
  TextTable table({"fact", "value", "unit", "noise %", "source"});
  for (const auto& [key, fact] : device.facts) {
    table.add_row(
        {key, significant(fact.value, 6), fact.unit, fixed(100 * fact.noise, 2), fact.source});
  }
  return "device " + device.name + ": " + device.title + "\n\n" + table.text();
}

}  // namespace pnsim
