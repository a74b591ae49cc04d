#include "simulator/engine/fast_engine.h"

#include "simulator/engine/reference_engine.h"

namespace pnsim {

FastEngine::FastEngine(const Net& net, RunId id)
    : net_(net),
      key_(run_key(id)),
      marking_(net.initial_marking()),
      plan_(net),
      enabled_set_(net, marking_),
      is_goal_(net.place_count()),
      is_touched_(net.place_count()) {
  for (const PlaceId p : net.goal()) {
    if (!is_goal_[p.value] && marking_[p.value] != 0) ++marked_goal_places_;
    is_goal_[p.value] = true;
  }
}

std::optional<Outcome> FastEngine::outcome(std::uint64_t max_steps) {
  if (net_.has_goal() && marked_goal_places_ == 0) return Outcome::kGoal;
  enabled_set_.list(enabled_);
  if (enabled_.empty()) return Outcome::kDead;
  if (steps_ >= max_steps) return Outcome::kLimit;
  plan_.examine(marking_, enabled_);
  return std::nullopt;
}

std::span<const TransitionId> FastEngine::choose() {
  settle_all(plan_, marking_, key_, steps_, fired_);
  return fired_;
}

void FastEngine::touch(PlaceId p) {
  if (is_touched_[p.value]) return;
  is_touched_[p.value] = true;
  touched_.push_back({p, marking_[p.value]});
}

void FastEngine::fire() {
  for (const TransitionId t : fired_) {
    for (const Arc& arc : net_.inputs(t)) touch(arc.place);
    for (const Arc& arc : net_.outputs(t)) touch(arc.place);
  }
  apply_step(net_, fired_, marking_);
  for (const Touched& touched : touched_) {
    const std::uint32_t p = touched.place.value;
    is_touched_[p] = false;
    if (marking_[p] == touched.before) continue;
    enabled_set_.change(touched.place, touched.before, marking_[p]);
    if (is_goal_[p] && touched.before == 0) ++marked_goal_places_;
    if (is_goal_[p] && marking_[p] == 0) --marked_goal_places_;
  }
  touched_.clear();
  ++steps_;
}

}  // namespace pnsim
