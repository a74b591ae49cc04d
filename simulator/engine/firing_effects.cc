#include "simulator/engine/firing_effects.h"

namespace pnsim {
namespace {

// Appends the surplus of `more` over `less`. Both are ordered by place.
void append_difference(std::span<const Arc> more, std::span<const Arc> less,
                       std::span<const FiringEffects::Meaning> meanings,
                       std::vector<FiringEffects::Change>& out) {
  auto other = less.begin();
  for (const Arc& arc : more) {
    while (other != less.end() && other->place < arc.place) ++other;
    const bool same = other != less.end() && other->place == arc.place;
    const Tokens tokens = arc.weight - (same ? other->weight : 0);
    if (tokens > 0) out.push_back({tokens, arc.place, meanings[arc.place.value]});
  }
}

}  // namespace

FiringEffects::FiringEffects(const Net& net, std::span<const Meaning> of_less,
                             std::span<const Meaning> of_more) {
  const auto here = [&] { return static_cast<std::uint32_t>(changes_.size()); };
  const auto transitions = static_cast<std::uint32_t>(net.transition_count());
  std::size_t arcs = 0;
  for (std::uint32_t t = 0; t < transitions; ++t) {
    arcs += net.inputs(TransitionId{t}).size() + net.outputs(TransitionId{t}).size();
  }
  changes_.reserve(arcs);
  start_.reserve(2 * transitions + 1);
  start_.push_back(0);
  for (std::uint32_t i = 0; i < transitions; ++i) {
    const TransitionId t{i};
    append_difference(net.inputs(t), net.outputs(t), of_less, changes_);
    start_.push_back(here());
    append_difference(net.outputs(t), net.inputs(t), of_more, changes_);
    start_.push_back(here());
  }
}

}  // namespace pnsim
