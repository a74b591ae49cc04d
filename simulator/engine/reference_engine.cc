#include "simulator/engine/reference_engine.h"

#include <algorithm>

#include "simulator/base/error.h"

namespace pnsim {

ReferenceEngine::ReferenceEngine(const Net& net, RunId id)
    : net_(net), key_(run_key(id)), marking_(net.initial_marking()), plan_(net) {}

std::optional<Outcome> ReferenceEngine::outcome(std::uint64_t max_steps) {
  if (net_.goal_holds(marking_)) return Outcome::kGoal;
  plan_.examine(marking_);
  if (plan_.enabled().empty()) return Outcome::kDead;
  if (steps_ >= max_steps) return Outcome::kLimit;
  return std::nullopt;
}

bool ReferenceEngine::is_fixed() const {
  const std::span<const TransitionId> enabled = plan_.enabled();
  return std::all_of(enabled.begin(), enabled.end(),
                     [&](TransitionId t) { return changes_nothing(net_, t); });
}

std::span<const TransitionId> ReferenceEngine::choose() {
  settle_all(plan_, marking_, key_, steps_, fired_);
  return fired_;
}

void ReferenceEngine::fire() {
  apply_step(net_, fired_, marking_);
  ++steps_;
}

void settle_all(StepPlan& plan, const Marking& marking, RunKey key, std::uint64_t step,
                std::vector<TransitionId>& fired) {
  fired.assign(plan.free().begin(), plan.free().end());
  for (const Conflict& conflict : plan.conflicts()) {
    Draws draws(key, conflict.lowest_place, step);
    plan.settle(
        conflict, marking, [&](std::uint32_t size) { return draws.next_below(size); }, fired);
  }
}

void apply_step(const Net& net, std::span<const TransitionId> fired, Marking& marking) {
  for (const TransitionId t : fired) {
    for (const Arc& arc : net.inputs(t)) marking[arc.place.value] -= arc.weight;
  }
  for (const TransitionId t : fired) {
    for (const Arc& arc : net.outputs(t)) {
      Tokens& tokens = marking[arc.place.value];
      if (arc.weight > kMaxTokens - tokens) {
        fail_limit("net " + net.name() + ": place \"" + net.name_of(arc.place) +
                   "\" would hold more than 2^62 tokens");
      }
      tokens += arc.weight;
    }
  }
}

}  // namespace pnsim
