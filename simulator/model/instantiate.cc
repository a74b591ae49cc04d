#include "simulator/model/instantiate.h"

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
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
      : template_(net_template),
        parameters_(resolve_parameters(net_template, overrides)),
        builder_(net_template.name) {
    builder_.set_origin(net_template.file.empty() ? net_template.name : net_template.file);
  }

  Net build() {
    count_instances();
    check_size();
    check_lists();
    for (const PlaceSpec& place : template_.places) add_places(place);
    for (const TransitionSpec& t : template_.transitions) add_transitions(t);
    for (std::size_t t = 0; t < template_.transitions.size(); ++t) add_arcs(t);
    builder_.set_goal(goal());
    builder_.set_observables(observables());
    return builder_.build();
  }

 private:
  using Index = std::int64_t;  // instance of a scope, counted over all its parents

  const ScopeSpec& scope(int s) const { return template_.scopes[static_cast<std::size_t>(s)]; }
  Index count_in_parent(int s) const { return count_in_parent_[static_cast<std::size_t>(s)]; }
  Index count(int s) const { return count_[static_cast<std::size_t>(s)]; }

  // Scope counts depend on parameters of one value only: the first value stands for lists.
  void count_instances() {
    values_.assign(template_.parameters.size() + template_.scopes.size() - 1, 0);
    set_values(0, 0);
    for (std::size_t s = 0; s < template_.scopes.size(); ++s) {
      const ScopeSpec& spec = template_.scopes[s];
      const Index own = spec.count.evaluate(values_, "scope " + spec.name);
      const Index parents = spec.parent < 0 ? 1 : count(spec.parent);
      const Index limit = spec.name == "warp" ? kMaxWarps : static_cast<Index>(kMaxNodes);
      Index all = 0;
      if (own < 0 || __builtin_mul_overflow(own, parents, &all) || all > limit) {
        fail_input(template_.name, "scope " + spec.name + ": found " + std::to_string(own) +
                                       " instances in each of " + std::to_string(parents) +
                                       ", expected at most " + std::to_string(limit) + " in all");
      }
      count_in_parent_.push_back(own);
      count_.push_back(all);
    }
  }

  void check_size() const {
    Index nodes = 0;  // at most kMaxNodes a row and some thousand rows: no overflow
    for (const PlaceSpec& place : template_.places) nodes += count(place.scope);
    for (const TransitionSpec& t : template_.transitions) nodes += count(t.scope);
    if (nodes > static_cast<Index>(kMaxNodes)) {
      fail_input(template_.name, "expands to " + std::to_string(nodes) +
                                     " places and transitions, expected at most " +
                                     std::to_string(kMaxNodes));
    }
  }

  void check_lists() const {
    for (const ParameterSpec& spec : template_.parameters) {
      const std::size_t given = parameters_.at(spec.name).size();
      if (given == 1) continue;
      const auto expected = static_cast<std::size_t>(count(scope_index(spec.scope)));
      if (given != expected) {
        fail_input(template_.name, "parameter " + spec.name + ": found a list of " +
                                       std::to_string(given) + " values, expected one value or " +
                                       std::to_string(expected));
      }
    }
  }

  int scope_index(const std::string& name) const {
    int s = 0;
    while (scope(s).name != name) ++s;  // the template reader made sure that it exists
    return s;
  }

  // The instance of scope `outer` around instance `at` of scope `s`.
  Index enclosing(int outer, int s, Index at) const {
    for (; s != outer; s = scope(s).parent) at /= count_in_parent(s);
    return at;
  }

  bool encloses(int outer, int s) const {
    for (; s >= 0; s = scope(s).parent) {
      if (s == outer) return true;
    }
    return false;
  }

  // values_ := what expressions see in instance `at` of scope `s`: parameters, then indices.
  void set_values(int s, Index at) {
    for (std::size_t i = 0; i < template_.parameters.size(); ++i) {
      const ParameterSpec& spec = template_.parameters[i];
      const std::vector<std::int64_t>& given = parameters_.at(spec.name);
      const bool by_instance = given.size() > 1 && encloses(scope_index(spec.scope), s);
      const Index which = by_instance ? enclosing(scope_index(spec.scope), s, at) : 0;
      values_[i] = given[static_cast<std::size_t>(which)];
    }
    for (int up = s; up > 0; up = scope(up).parent) {
      const std::size_t slot = template_.parameters.size() + static_cast<std::size_t>(up) - 1;
      values_[slot] = at % count_in_parent(up);
      at /= count_in_parent(up);
    }
  }

  std::string instance_name(const std::string& name, int s, Index at) const {
    std::string suffix;
    for (; s > 0; s = scope(s).parent) {
      suffix = "." + std::to_string(at % count_in_parent(s)) + suffix;
      at /= count_in_parent(s);
    }
    return name + suffix;
  }

  void add_places(const PlaceSpec& place) {
    first_place_.push_back(next_place_);
    next_place_ += count(place.scope);
    for (Index at = 0; at < count(place.scope); ++at) {
      set_values(place.scope, at);
      const std::int64_t tokens = place.tokens.evaluate(values_, place.where);
      if (tokens < 0 || tokens > kMaxTokens) {
        fail_input(place.where, "the tokens come out " + std::to_string(tokens) +
                                    ", expected 0 to 2^62");
      }
      builder_.add_place(instance_name(place.name, place.scope, at), tokens);
    }
  }

  void add_transitions(const TransitionSpec& t) {
    first_transition_.push_back(next_transition_);
    next_transition_ += count(t.scope);
    for (Index at = 0; at < count(t.scope); ++at) {
      builder_.add_transition(instance_name(t.name, t.scope, at));
    }
  }

  PlaceId place_id(int place, Index at) const {
    return {static_cast<std::uint32_t>(first_place_[static_cast<std::size_t>(place)] + at)};
  }

  // The place instance an arc of instance `at` of scope `s` means; values_ are set for it.
  PlaceId target(const ArcSpec& arc, int s, Index at) const {
    const int to = template_.places[static_cast<std::size_t>(arc.place)].scope;
    if (!arc.index) return place_id(arc.place, enclosing(to, s, at));
    const Index own = arc.index->evaluate(values_, arc.where);
    if (own < 0 || own >= count_in_parent(to)) {
      fail_input(arc.where, "the index [" + arc.index->text() + "] comes out " +
                                std::to_string(own) + ", expected 0 to " +
                                std::to_string(count_in_parent(to) - 1));
    }
    const int parent = scope(to).parent;
    return place_id(arc.place, enclosing(parent, s, at) * count_in_parent(to) + own);
  }

  void add_arcs(std::size_t index) {
    const TransitionSpec& spec = template_.transitions[index];
    for (Index at = 0; at < count(spec.scope); ++at) {
      set_values(spec.scope, at);
      const TransitionId t{static_cast<std::uint32_t>(first_transition_[index] + at)};
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
    const std::int64_t w = arc.weight.evaluate(values_, arc.where);
    if (w < 0 || w > kMaxTokens) {
      fail_input(arc.where, "the weight " + arc.weight.text() + " comes out " + std::to_string(w) +
                                ", expected 0 to 2^62");
    }
    return w;
  }

  void add_inhibitors(TransitionId t, const ArcSpec& arc, int s, Index at) {
    const int to = template_.places[static_cast<std::size_t>(arc.place)].scope;
    if (arc.index || encloses(to, s)) return builder_.add_inhibitor(t, target(arc, s, at));
    const Index inside = count(to) / std::max<Index>(count(s), 1);  // instances in each of s
    for (Index i = 0; i < inside; ++i) {
      builder_.add_inhibitor(t, place_id(arc.place, at * inside + i));
    }
  }

  std::vector<PlaceId> goal() const {
    std::vector<PlaceId> places;
    for (const std::string& condition : template_.until) {
      for (std::size_t p = 0; p < template_.places.size(); ++p) {
        if (template_.places[p].name + "=0" != condition) continue;
        for (Index at = 0; at < count(template_.places[p].scope); ++at) {
          places.push_back(place_id(static_cast<int>(p), at));
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
        for (Index at = 0; at < count(spec.scope); ++at) {
          out.waiting.push_back({static_cast<std::uint32_t>(first_transition_[t] + at)});
        }
      }
    }
    if (!template_.scheduler_pool.empty()) {
      out.scheduler_pool = builder_.find_place(template_.scheduler_pool);
    }
    return out;
  }

  const NetTemplate& template_;
  ParameterValues parameters_;
  NetBuilder builder_;
  std::vector<Index> count_in_parent_, count_;            // [scope]
  std::vector<Index> first_place_, first_transition_;     // [place spec], [transition spec]
  Index next_place_ = 0, next_transition_ = 0;
  std::vector<std::int64_t> values_;                      // [parameter], then [scope - 1]
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

}  // namespace pnsim
