#include "simulator/model/template/unit_tracks.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/template/instances.h"
#include "simulator/model/template/unit_states_of.h"

namespace pnsim {
namespace {

const ScopeSpec& scope_of(const NetTemplate& net_template, int scope) {
  return net_template.scopes[static_cast<std::size_t>(scope)];
}

// Units of a scope that they give their name: the number among all, then that of the enclosing
// scope unless it is the SM: "warp 5 (block 1)". Other units: "port", "constants (scheduler 0)".
std::vector<std::string> names_of(const NetTemplate& net_template,
                                  const TemplateInstances& instances, const UnitSpec& unit,
                                  const std::string& kind) {
  if (unit.scope == 0) return {kind};
  const bool is_own = scope_of(net_template, unit.scope).name == kind;
  const int other = is_own ? scope_of(net_template, unit.scope).parent : unit.scope;
  std::vector<std::string> names;
  for (TemplateInstances::Index at = 0; at < instances.count(unit.scope); ++at) {
    names.push_back(is_own ? kind + " " + std::to_string(at) : kind);
    if (other <= 0) continue;
    names.back() += " (" + scope_of(net_template, other).name + " " +
                    std::to_string(instances.enclosing(other, unit.scope, at)) + ")";
  }
  return names;
}

std::vector<std::uint32_t> warps_of_places(const NetTemplate& net_template,
                                           const TemplateInstances& instances) {
  const int warp = net_template.reasons.warps.scope;
  std::vector<std::uint32_t> out;
  for (std::size_t row = 0; row < net_template.places.size(); ++row) {
    const int scope = net_template.places[row].scope;
    const bool is_inside = instances.encloses(warp, scope);
    for (TemplateInstances::Index at = 0; at < instances.count(scope); ++at) {
      out.push_back(is_inside ? static_cast<std::uint32_t>(instances.enclosing(warp, scope, at))
                              : kNoUnit);
    }
  }
  return out;
}

// True when the same places, of as many units, tell the state of both.
bool repeats(const UnitSpec& unit, const UnitSpec& schedulers) {
  const StateSpec& mine = unit.states.front();
  const StateSpec& first = schedulers.states.front();
  return unit.scope == schedulers.scope && mine.takes == first.takes && mine.places == first.places;
}

}  // namespace

TemplateTracks unit_tracks_of(const NetTemplate& net_template, const ParameterValues& overrides) {
  const ReasonsSpec& reasons = net_template.reasons;
  if (!reasons.schedulers) {
    fail_input(net_template.file, "the net declares no states of its units (reasons)");
  }
  const TemplateInstances instances(net_template, overrides);
  std::vector<UnitStates> states = unit_states_of(net_template, overrides);
  TemplateTracks out;
  const auto add = [&](const UnitSpec& spec, UnitStates& mine, const std::string& kind) {
    out.units.push_back({std::move(mine), kind, names_of(net_template, instances, spec, kind)});
  };
  add(reasons.warps, states[1], scope_of(net_template, reasons.warps.scope).name);
  add(*reasons.schedulers, states[0], scope_of(net_template, reasons.schedulers->scope).name);
  for (std::size_t i = 0; i < reasons.units.size(); ++i) {
    if (repeats(reasons.units[i], *reasons.schedulers)) continue;
    add(reasons.units[i], states[i + 2], reasons.units[i].name);
  }
  out.warp_of = warps_of_places(net_template, instances);
  return out;
}

}  // namespace pnsim
