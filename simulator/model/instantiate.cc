#include "simulator/model/instantiate.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/instances.h"
#include "simulator/net/net_builder.h"

namespace pnsim {
namespace {

void check_range(const NetTemplate& net_template, const ParameterSpec& spec, std::int64_t value) {
  if (value >= spec.min && value <= spec.max) return;
  fail_input(net_template.name, "parameter " + spec.name + ": found " + std::to_string(value) +
                                    ", expected " + std::to_string(spec.min) + " to " +
                                    std::to_string(spec.max));
}

class Instantiator {
 public:
  Instantiator(const NetTemplate& net_template, const ParameterValues& overrides)
      : template_(net_template), instances_(net_template, overrides), builder_(net_template.name) {
    builder_.set_origin(net_template.file.empty() ? net_template.name : net_template.file);
  }

  Net build() {
    for (const PlaceSpec& place : template_.places) add_places(place);
    for (const TransitionSpec& t : template_.transitions) add_transitions(t);
    for (std::size_t t = 0; t < template_.transitions.size(); ++t) add_arcs(t);
    builder_.set_goal(goal());
    builder_.set_observables(observables());
    return builder_.build();
  }

  Marking marking() {
    Marking marking;
    for (const PlaceSpec& place : template_.places) add_tokens(place, marking);
    return marking;
  }

 private:
  using Index = TemplateInstances::Index;

  int scope_of_place(int place) const { return template_.places[static_cast<std::size_t>(place)].scope; }

  void add_places(const PlaceSpec& place) {
    if (place.scope == 0) {
      builder_.add_place(place.name, tokens(place, 0));
      return;
    }
    Marking initial;
    add_tokens(place, initial);
    builder_.add_places(place.name, instances_.numbers(place.scope), initial);
  }

  void add_tokens(const PlaceSpec& place, Marking& marking) {
    for (Index at = 0; at < instances_.count(place.scope); ++at) {
      marking.push_back(tokens(place, at));
    }
  }

  Tokens tokens(const PlaceSpec& place, Index at) {
    if (!place.tokens.is_number()) instances_.set_values(place.scope, at);
    const std::int64_t tokens = place.tokens.evaluate(instances_.values(), place.where);
    if (tokens < 0 || tokens > kMaxTokens) {
      fail_input(place.where, "the tokens come out " + std::to_string(tokens) +
                                  ", expected 0 to 2^62");
    }
    return tokens;
  }

  void add_transitions(const TransitionSpec& t) {
    if (t.scope == 0) {
      builder_.add_transition(t.name);
    } else {
      builder_.add_transitions(t.name, instances_.numbers(t.scope));
    }
  }

  // The place instance an arc of instance `at` of scope `s` means; the values are set for it.
  PlaceId target(const ArcSpec& arc, int s, Index at) const {
    const int to = scope_of_place(arc.place);
    if (!arc.index) return instances_.place(arc.place, instances_.enclosing(to, s, at));
    const Index own = arc.index->evaluate(instances_.values(), arc.where);
    if (own < 0 || own >= instances_.count_in_parent(to)) {
      fail_input(arc.where, "the index [" + arc.index->text() + "] comes out " +
                                std::to_string(own) + ", expected 0 to " +
                                std::to_string(instances_.count_in_parent(to) - 1));
    }
    const int parent = template_.scopes[static_cast<std::size_t>(to)].parent;
    return instances_.place(arc.place,
                            instances_.enclosing(parent, s, at) * instances_.count_in_parent(to) + own);
  }

  void add_arcs(std::size_t index) {
    const TransitionSpec& spec = template_.transitions[index];
    for (Index at = 0; at < instances_.count(spec.scope); ++at) {
      instances_.set_values(spec.scope, at);
      const TransitionId t = instances_.transition(index, at);
      for (const ArcSpec& arc : spec.takes) {
        const std::int64_t w = weight(arc);
        if (w > 0) builder_.add_input(t, target(arc, spec.scope, at), w);
      }
      for (const ArcSpec& arc : spec.gives) {
        const std::int64_t w = weight(arc);
        if (w > 0) builder_.add_output(t, target(arc, spec.scope, at), w);
      }
      for (const ArcSpec& arc : spec.inhibited_by) add_inhibitors(t, arc, spec.scope, at);
    }
  }

  std::int64_t weight(const ArcSpec& arc) const {
    const std::int64_t w = arc.weight.evaluate(instances_.values(), arc.where);
    if (w < 0 || w > kMaxTokens) {
      fail_input(arc.where, "the weight " + arc.weight.text() + " comes out " + std::to_string(w) +
                                ", expected 0 to 2^62");
    }
    return w;
  }

  void add_inhibitors(TransitionId t, const ArcSpec& arc, int s, Index at) {
    const int to = scope_of_place(arc.place);
    if (arc.index || instances_.encloses(to, s)) return builder_.add_inhibitor(t, target(arc, s, at));
    // Instances in each of s.
    const Index inside = instances_.count(to) / std::max<Index>(instances_.count(s), 1);
    for (Index i = 0; i < inside; ++i) {
      builder_.add_inhibitor(t, instances_.place(arc.place, at * inside + i));
    }
  }

  std::vector<PlaceId> goal() const {
    std::vector<PlaceId> places;
    for (const std::string& condition : template_.until) {
      for (std::size_t p = 0; p < template_.places.size(); ++p) {
        if (template_.places[p].name + "=0" != condition) continue;
        for (Index at = 0; at < instances_.count(template_.places[p].scope); ++at) {
          places.push_back(instances_.place(static_cast<int>(p), at));
        }
      }
    }
    return places;
  }

  Observables observables() const {
    Observables out;
    for (std::size_t t = 0; t < template_.transitions.size(); ++t) {
      const TransitionSpec& spec = template_.transitions[t];
      for (const std::string& name : template_.waiting) {
        if (spec.name != name) continue;
        for (Index at = 0; at < instances_.count(spec.scope); ++at) {
          out.waiting.push_back(instances_.transition(t, at));
        }
      }
    }
    if (!template_.scheduler_pool.empty()) {
      out.scheduler_pool = builder_.find_place(template_.scheduler_pool);
    }
    return out;
  }

  const NetTemplate& template_;
  TemplateInstances instances_;
  NetBuilder builder_;
};

}  // namespace

ParameterValues resolve_parameters(const NetTemplate& net_template,
                                   const ParameterValues& overrides) {
  ParameterValues values;
  for (const ParameterSpec& spec : net_template.parameters) {
    values[spec.name] = {spec.default_value};
  }
  for (const auto& [name, given] : overrides) {
    const ParameterSpec* spec = net_template.find_parameter(name);
    if (!spec) {
      fail_usage("net " + net_template.name + " has no parameter \"" + name + "\"" +
                 suggestion(name, net_template.parameter_names()));
    }
    if (given.empty() || (given.size() > 1 && spec->scope.empty())) {
      fail_input(net_template.name, "parameter " + name + ": found a list of " +
                                        std::to_string(given.size()) + " values, expected one");
    }
    for (const std::int64_t value : given) check_range(net_template, *spec, value);
    values[name] = given;
  }
  return values;
}

Net instantiate(const NetTemplate& net_template, const ParameterValues& overrides) {
  return Instantiator(net_template, overrides).build();
}

Marking initial_marking(const NetTemplate& net_template, const ParameterValues& overrides) {
  return Instantiator(net_template, overrides).marking();
}

bool only_tokens_use(const NetTemplate& net_template, std::span<const std::string> parameters) {
  const std::vector<std::string> names = net_template.parameter_names();
  const auto uses = [&](const Expression& expression) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const std::string& name) {
      const auto at = std::find(names.begin(), names.end(), name);
      return expression.uses(static_cast<std::size_t>(at - names.begin()));
    });
  };
  const auto any_uses = [&](const std::vector<ArcSpec>& arcs) {
    return std::any_of(arcs.begin(), arcs.end(), [&](const ArcSpec& arc) {
      return uses(arc.weight) || (arc.index && uses(*arc.index));
    });
  };
  return std::none_of(net_template.scopes.begin(), net_template.scopes.end(),
                      [&](const ScopeSpec& scope) { return uses(scope.count); }) &&
         std::none_of(net_template.transitions.begin(), net_template.transitions.end(),
                      [&](const TransitionSpec& t) {
                        return any_uses(t.takes) || any_uses(t.gives) || any_uses(t.inhibited_by);
                      });
}

}  // namespace pnsim
