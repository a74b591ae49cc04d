#include "simulator/model/template/instantiate.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/template/instances.h"
#include "simulator/net/net_builder.h"

namespace pnsim {
namespace {

class Instantiator {
 public:
  Instantiator(const NetTemplate& net_template, const ParameterValues& overrides)
      : template_(net_template),
        instances_(net_template, overrides),
        builder_(net_template.name, kMaxExpandedNodes) {
    builder_.set_origin(net_template.file.empty() ? net_template.name : net_template.file);
  }

  Net build(Part part) {
    if (part == Part::kNotDead) {
      builder_.leave_out_dead();
      find_empty_rows();
    }
    for (const PlaceSpec& place : template_.places) add_places(place);
    std::size_t inputs = 0, outputs = 0;
    for (const TransitionSpec& t : template_.transitions) {
      add_transitions(t);
      inputs += t.takes.size() * static_cast<std::size_t>(instances_.count(t.scope));
      outputs += t.gives.size() * static_cast<std::size_t>(instances_.count(t.scope));
    }
    builder_.reserve_arcs(inputs, outputs);  // unused memory is not touched
    for (std::size_t t = 0; t < template_.transitions.size(); ++t) add_arcs(t);
    builder_.set_goal(goal());
    builder_.set_observables(observables());
    return builder_.build();
  }

  Marking marking() {
    Marking marking;
    std::size_t places = 0;
    for (const PlaceSpec& place : template_.places) {
      places += static_cast<std::size_t>(instances_.count(place.scope));
    }
    marking.reserve(places);
    for (const PlaceSpec& place : template_.places) add_tokens(place, marking);
    return marking;
  }

 private:
  using Index = TemplateInstances::Index;

  int scope_of_place(int place) const {
    return template_.places[static_cast<std::size_t>(place)].scope;
  }

  void add_places(const PlaceSpec& place) {
    Marking initial;
    initial.reserve(static_cast<std::size_t>(instances_.count(place.scope)));
    add_tokens(place, initial);
    if (place.scope == 0) {
      builder_.add_place(place.name, initial[0]);
      return;
    }
    builder_.add_places(place.name, instances_.numbers(place.scope), initial);
  }

  void add_tokens(const PlaceSpec& place, Marking& marking) {
    const std::vector<char> names = names_of({&place.tokens});
    each_rows(place.scope, names, [&](Index, std::size_t rows) {
      const RowValues tokens = evaluate(place.tokens, rows, place.where, tokens_);
      for (std::size_t i = 0; i < rows; ++i) marking.push_back(checked_tokens(tokens[i], place));
    });
  }

  static Tokens checked_tokens(std::int64_t tokens, const PlaceSpec& place) {
    if (tokens < 0 || tokens > kMaxTokens) {
      fail_input(place.where,
                 "the tokens evaluate to " + std::to_string(tokens) + ", expected 0 to 2^62");
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

  // An arc of a row of transitions, for a range of instances of the row.
  struct ArcRows {
    const ArcSpec* spec;
    RowValues weight;
    RowValues own;     // the index of the place, for arcs with an index
    RowValues around;  // the instance of the place, or, with an index, of its enclosing scope
    std::uint32_t first = 0;  // first instance of the place
    Index inside = 0;         // instances per enclosing scope; 0: the arc has no index
    std::vector<std::int64_t> weight_store, own_store;

    // Possibly only in some rows.
    bool has_weight() const { return weight.each || weight.all != 0; }
    PlaceId target(std::size_t row) const {
      const Index at = inside == 0 ? around[row] : around[row] * inside + own[row];
      return {first + static_cast<std::uint32_t>(at)};
    }
  };

  template <class Do>
  void each_rows(int scope, const std::vector<char>& names, Do&& act) {
    for (Index first = 0; first < instances_.count(scope); first += kRows) {
      const auto rows = static_cast<std::size_t>(std::min(kRows, instances_.count(scope) - first));
      instances_.set_rows(scope, first, rows, names);
      act(first, rows);
    }
  }

  std::vector<char> names_of(std::initializer_list<const Expression*> expressions) const {
    std::vector<char> names(instances_.names());
    for (const Expression* expression : expressions) expression->mark_names(names);
    return names;
  }

  std::vector<char> names_of(const TransitionSpec& spec) const {
    std::vector<char> names(instances_.names());
    for (const auto* arcs : {&spec.takes, &spec.gives, &spec.inhibited_by}) {
      for (const ArcSpec& arc : *arcs) {
        arc.weight.mark_names(names);
        if (arc.index) arc.index->mark_names(names);
      }
    }
    return names;
  }

  RowValues evaluate(const Expression& expression, std::size_t rows, const std::string& where,
                     std::vector<std::int64_t>& store) {
    return evaluator_.evaluate(expression, instances_.rows(), rows, where, store);
  }

  std::vector<std::int64_t> values_of_row(std::size_t row) const {
    std::vector<std::int64_t> values;
    for (const RowValues& of_name : instances_.rows()) values.push_back(of_name[row]);
    return values;
  }

  static std::vector<ArcRows> rows_of(const std::vector<ArcSpec>& arcs) {
    std::vector<ArcRows> out(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) out[i].spec = &arcs[i];
    return out;
  }

  void fill(ArcRows& arc, std::size_t rows) {
    const ArcSpec& spec = *arc.spec;
    arc.weight = evaluate(spec.weight, rows, spec.where, arc.weight_store);
    const auto has_weight = [&](std::size_t row) { return arc.weight[row] != 0; };
    check_rows(
        arc.weight, rows, kMaxTokens, [](std::size_t) { return true; },
        [&](Index weight) {
          fail_input(spec.where, "the weight " + spec.weight.text() + " evaluates to " +
                                     std::to_string(weight) + ", expected 0 to 2^62");
        });
    if (!arc.has_weight()) return;
    const int to = scope_of_place(spec.place);
    arc.first = instances_.place(spec.place, 0).value;
    arc.inside = 0;
    arc.around = instances_.enclosing_rows(to);
    if (!spec.index) return;
    arc.inside = instances_.count_in_parent(to);
    arc.around = instances_.enclosing_rows(template_.scopes[static_cast<std::size_t>(to)].parent);
    try {
      arc.own = evaluate(*spec.index, rows, spec.where, arc.own_store);
    } catch (const Error&) {  // where the weight is 0 the index is not needed
      arc.own_store.assign(rows, 0);
      for (std::size_t i = 0; i < rows; ++i) {
        if (has_weight(i)) arc.own_store[i] = spec.index->evaluate(values_of_row(i), spec.where);
      }
      arc.own = {arc.own_store.data()};
    }
    check_rows(arc.own, rows, arc.inside - 1, has_weight, [&](Index own) {
      const std::string found =
          "the index [" + spec.index->text() + "] evaluates to " + std::to_string(own);
      const std::string& scope = template_.scopes[static_cast<std::size_t>(to)].name;
      fail_input(spec.where, arc.inside == 0
                                 ? found + ", and the scope \"" + scope + "\" has no instances"
                                 : found + ", expected 0 to " + std::to_string(arc.inside - 1));
    });
  }

  // Checks that all counts are 0 to `most`. Nothing is allowed when `most` is negative.
  template <class Counts, class Fail>
  static void check_rows(const RowValues& values, std::size_t rows, std::int64_t most,
                         const Counts& counts, const Fail& fail) {
    const auto limit = static_cast<std::uint64_t>(most);
    for (std::size_t i = 0; i < rows; ++i) {
      if ((most < 0 || static_cast<std::uint64_t>(values[i]) > limit) && counts(i)) fail(values[i]);
    }
  }

  // The arcs with a weight other than 0 in one of the rows.
  std::vector<const ArcRows*> filled(std::vector<ArcRows>& arcs, std::size_t rows) {
    std::vector<const ArcRows*> out;
    for (ArcRows& arc : arcs) {
      fill(arc, rows);
      if (arc.has_weight()) out.push_back(&arc);
    }
    return out;
  }

  void add_arcs(std::size_t index) {
    const TransitionSpec& spec = template_.transitions[index];
    std::vector<ArcRows> takes = rows_of(spec.takes), gives = rows_of(spec.gives);
    std::vector<ArcRows> inhibitors = rows_of(spec.inhibited_by);
    each_rows(spec.scope, names_of(spec), [&](Index first, std::size_t rows) {
      const auto inputs = filled(takes, rows), outputs = filled(gives, rows);
      for (ArcRows& arc : inhibitors) {
        if (is_of_one_place(*arc.spec, spec.scope)) fill(arc, rows);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        const TransitionId t = instances_.transition(index, first + static_cast<Index>(i));
        // This arc proves that the transition is dead.
        if (const ArcRows* never = from_empty(inputs, i)) {
          builder_.add_input(t, never->target(i), never->weight[i]);
          continue;
        }
        for (const ArcRows* arc : inputs) {
          const std::int64_t weight = arc->weight[i];
          if (weight > 0) builder_.add_input(t, arc->target(i), weight);
        }
        for (const ArcRows* arc : outputs) {
          const std::int64_t weight = arc->weight[i];
          if (weight > 0) builder_.add_output(t, arc->target(i), weight);
        }
        for (const ArcRows& arc : inhibitors) add_inhibitors(t, arc, spec.scope, first, i);
      }
    });
  }

  // Finds rows of places that are always empty, for nets that omit the dead transitions.
  void find_empty_rows() {
    for (const PlaceSpec& place : template_.places)
      is_empty_.push_back(place.tokens.is_literal_zero());
    for (const TransitionSpec& spec : template_.transitions) {
      for (const ArcSpec& arc : spec.gives) is_empty_[static_cast<std::size_t>(arc.place)] = false;
    }
  }

  // An arc from such a place, or null.
  const ArcRows* from_empty(const std::vector<const ArcRows*>& takes, std::size_t row) const {
    if (is_empty_.empty()) return nullptr;
    for (const ArcRows* arc : takes) {
      if (is_empty_[static_cast<std::size_t>(arc->spec->place)] && arc->weight[row] > 0) return arc;
    }
    return nullptr;
  }

  // Adds the arc to one place, or to all instances of the inner scopes.
  void add_inhibitors(TransitionId t, const ArcRows& arc, int s, Index first, std::size_t row) {
    if (is_of_one_place(*arc.spec, s)) return builder_.add_inhibitor(t, arc.target(row));
    const Index inside =
        instances_.count(scope_of_place(arc.spec->place)) / std::max<Index>(instances_.count(s), 1);
    const Index at = first + static_cast<Index>(row);
    for (Index i = 0; i < inside; ++i) {
      builder_.add_inhibitor(t, instances_.place(arc.spec->place, at * inside + i));
    }
  }

  bool is_of_one_place(const ArcSpec& arc, int s) const {
    return arc.index || instances_.encloses(scope_of_place(arc.place), s);
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

  static constexpr Index kRows = 512;  // the values of that many instances fit into the L1 cache

  const NetTemplate& template_;
  TemplateInstances instances_;
  NetBuilder builder_;
  RowEvaluator evaluator_;
  std::vector<std::int64_t> tokens_;
  std::vector<char> is_empty_;  // [place spec]; empty: all transitions stay
};

}  // namespace

Net instantiate(const NetTemplate& net_template, const ParameterValues& overrides, Part part) {
  return Instantiator(net_template, overrides).build(part);
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
