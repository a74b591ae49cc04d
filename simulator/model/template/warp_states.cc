#include "simulator/model/template/warp_states.h"

#include <algorithm>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

bool any_marked(const std::vector<PlaceId>& first, const Marking& marking, std::uint32_t unit) {
  return std::any_of(first.begin(), first.end(),
                     [&](PlaceId p) { return marking[p.value + unit] > 0; });
}

// Indices of first instances in the net of a template.
class Places {
 public:
  Places(const Net& net, const NetTemplate& net_template) : net_(net) {
    for (int s = net_template.warp_states.scope; s > 0;
         s = net_template.scopes[static_cast<std::size_t>(s)].parent) {
      suffix_ += ".0";
    }
  }

  std::optional<PlaceId> first(const std::string& name) const {
    return net_.find_place(name + suffix_);
  }

  std::vector<PlaceId> first(const std::vector<std::string>& names) const {
    std::vector<PlaceId> out;
    for (const std::string& name : names) {
      if (const auto p = first(name)) out.push_back(*p);
    }
    return out;
  }

  std::uint32_t instances(const std::string& name) const {
    const auto start = first(name);
    if (!start) return 0;
    std::uint32_t end = start->value;
    while (end < net_.place_count() && net_.group_of(PlaceId{end}) == name) ++end;
    return end - start->value;
  }

 private:
  const Net& net_;
  std::string suffix_;
};

}  // namespace

std::size_t WarpStates::state_of(const Marking& marking, std::uint32_t unit_index) const {
  if (alive && marking[alive->value + unit_index] == 0) return idle();
  for (std::size_t s = 0; s < places.size(); ++s) {
    if (any_marked(places[s], marking, unit_index)) return s;
  }
  return idle();
}

bool WarpStates::holds_scheduler(const Marking& marking, std::uint32_t unit_index) const {
  return any_marked(holding, marking, unit_index);
}

WarpStates warp_states(const NetTemplate& net_template, const Net& net) {
  const WarpStatesSpec& spec = net_template.warp_states;
  if (spec.states.empty()) {
    fail_input(net_template.file,
               "the net declares no warp states (observables, warp_states), which a picture "
               "of a run needs");
  }
  const Places places(net, net_template);
  WarpStates out;
  out.unit = net_template.scopes[static_cast<std::size_t>(spec.scope)].name;
  out.units = places.instances(spec.states[0].places[0]);
  for (const WarpStateSpec& state : spec.states) {
    out.names.push_back(state.name);
    out.places.push_back(places.first(state.places));
  }
  out.names.push_back("idle");
  if (!spec.alive.empty()) out.alive = places.first(spec.alive);
  if (spec.holds_scheduler.empty()) return out;
  out.holding = places.first(spec.holds_scheduler);
  const Tokens pool = net.initial_marking()[net.observables().scheduler_pool->value];
  out.schedulers = static_cast<std::uint32_t>(std::min<Tokens>(pool, out.units));
  return out;
}

}  // namespace pnsim
