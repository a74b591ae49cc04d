#include "simulator/engine/firing_effects.h"

#include <algorithm>

namespace pnsim {
namespace {

// What `more` has over `less`.
void append_difference(std::span<const Arc> more, std::span<const Arc> less, std::vector<Arc>& out) {
  for (const Arc& arc : more) {
    const auto same = std::find_if(less.begin(), less.end(),
                                   [&](const Arc& other) { return other.place == arc.place; });
    const Tokens tokens = arc.weight - (same == less.end() ? 0 : same->weight);
    if (tokens > 0) out.push_back({arc.place, tokens});
  }
}

}  // namespace

FiringEffects::FiringEffects(const Net& net) : start_{0} {
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    append_difference(net.inputs(t), net.outputs(t), arcs_);
    start_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    append_difference(net.outputs(t), net.inputs(t), arcs_);
    start_.push_back(static_cast<std::uint32_t>(arcs_.size()));
  }
}

}  // namespace pnsim
