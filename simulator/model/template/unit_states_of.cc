#include "simulator/model/template/unit_states_of.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/template/instances.h"

namespace pnsim {
namespace {

class UnitStatesMaker {
 public:
  UnitStatesMaker(const NetTemplate& net_template, const ParameterValues& overrides)
      : template_(net_template), instances_(net_template, overrides) {}

  UnitStates make(const UnitSpec& spec) {
    out_ = {};
    scope_ = spec.scope;
    out_.name = spec.name;
    out_.units = static_cast<std::uint32_t>(instances_.count(scope_));
    out_.states = state_names(spec);
    for (const StateSpec& state : spec.states) add(state);
    return std::move(out_);
  }

 private:
  using Index = TemplateInstances::Index;

  void add(const StateSpec& spec) {
    const auto known = std::find(out_.states.begin(), out_.states.end(), spec.name);
    const auto state = static_cast<std::uint32_t>(known - out_.states.begin());
    const auto row = static_cast<std::uint32_t>(out_.rows.size());
    out_.rows.push_back({state, !spec.while_places.empty()});
    for (const int place : spec.places) {
      each(spec, place, true, [&](PlaceId p, std::uint32_t unit) {
        out_.marks.push_back({p, unit, row, false});
      });
    }
    for (const int place : spec.while_places) {
      each(spec, place, false, [&](PlaceId p, std::uint32_t unit) {
        out_.marks.push_back({p, unit, row, true});
      });
    }
    for (const int place : spec.takes) {
      each(spec, place, true, [&](PlaceId p, std::uint32_t unit) {
        out_.takes.push_back({p, unit, state, steps_of(spec)});
      });
    }
  }

  // Calls do(instance of the place, its unit) with the values set for that instance.
  template <class Do>
  void each(const StateSpec& spec, int place, bool by_row, Do&& act) {
    const int scope = template_.places[static_cast<std::size_t>(place)].scope;
    for (Index at = 0; at < instances_.count(scope); ++at) {
      instances_.set_values(scope, at);
      if (by_row && spec.when.evaluate(instances_.values(), spec.where) == 0) continue;
      const auto [first, count] = by_row && spec.unit ? given_unit(spec) : units_of(scope, at);
      for (Index u = first; u < first + count; ++u) {
        act(instances_.place(place, at), static_cast<std::uint32_t>(u));
      }
    }
  }

  // All units in the instance of the innermost scope that encloses both.
  std::pair<Index, Index> units_of(int scope, Index at) const {
    int both = scope;
    while (!instances_.encloses(both, scope_)) {
      both = template_.scopes[static_cast<std::size_t>(both)].parent;
    }
    const Index inside = instances_.count(scope_) / std::max<Index>(instances_.count(both), 1);
    return {instances_.enclosing(both, scope, at) * inside, inside};
  }

  std::pair<Index, Index> given_unit(const StateSpec& spec) const {
    const Index unit = spec.unit->evaluate(instances_.values(), spec.where);
    if (unit >= 0 && unit < instances_.count(scope_)) return {unit, 1};
    fail_input(spec.where, "the unit evaluates to " + std::to_string(unit) + ", expected 0 to " +
                               std::to_string(instances_.count(scope_) - 1));
  }

  std::uint64_t steps_of(const StateSpec& spec) const {
    const std::int64_t steps = spec.steps.evaluate(instances_.values(), spec.where);
    if (steps >= 1 && steps <= kMaxTokens) return static_cast<std::uint64_t>(steps);
    fail_input(spec.where,
               "the steps evaluate to " + std::to_string(steps) + ", expected 1 to 2^62");
  }

  const NetTemplate& template_;
  TemplateInstances instances_;
  UnitStates out_;
  int scope_ = 0;
};

}  // namespace

std::vector<std::string> state_names(const UnitSpec& spec) {
  std::vector<std::string> names;
  for (const StateSpec& state : spec.states) {
    const bool is_new = std::find(names.begin(), names.end(), state.name) == names.end();
    if (is_new) names.push_back(state.name);
  }
  names.push_back(spec.rest);
  return names;
}

std::vector<UnitStates> unit_states_of(const NetTemplate& net_template,
                                       const ParameterValues& overrides) {
  const ReasonsSpec& reasons = net_template.reasons;
  if (!reasons.schedulers) {
    fail_usage("net " + net_template.name +
               " does not say where its steps go: --reasons needs a "
               "template with \"reasons\", such as sm (--net sm)");
  }
  UnitStatesMaker maker(net_template, overrides);
  std::vector<UnitStates> out{maker.make(*reasons.schedulers), maker.make(reasons.warps)};
  for (const UnitSpec& unit : reasons.units) out.push_back(maker.make(unit));
  return out;
}

}  // namespace pnsim
