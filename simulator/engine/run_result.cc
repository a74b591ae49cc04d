#include "simulator/engine/run_result.h"

#include <string>

#include "simulator/base/error.h"

namespace pnsim {

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kLimit:
      return "limit";
    case Outcome::kDead:
      return "dead";
    case Outcome::kFixed:
      return "fixed";
    case Outcome::kGoal:
      return "goal";
  }
  return "?";
}

RunCounter::RunCounter(const Net& net, RunId id)
    : net_(net), pool_taken_by_(net.transition_count()), is_waiting_(net.transition_count()) {
  result_.id = id;
  const Observables& observables = net.observables();
  if (!observables.waiting.empty()) result_.waiting_steps = 0;
  for (const TransitionId t : observables.waiting) is_waiting_[t.value] = true;
  if (!observables.scheduler_pool) return;
  result_.idle_scheduler_steps = 0;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (is_waiting_[t]) continue;
    for (const Arc& arc : net.inputs(TransitionId{t})) {
      if (arc.place == *observables.scheduler_pool) pool_taken_by_[t] = arc.weight;
    }
  }
}

void RunCounter::fail_over(const char* what) {
  fail_limit(std::string(what) + " would exceed 2^63");
}

void RunCounter::observe(const Marking& marking, std::span<const TransitionId> fired,
                         std::uint64_t steps) {
  std::uint64_t waiting = 0;
  Tokens taken = 0;
  for (const TransitionId t : fired) {
    waiting += is_waiting_[t.value] ? 1 : 0;
    taken += pool_taken_by_[t.value];
  }
  if (result_.waiting_steps) add_product(*result_.waiting_steps, steps, waiting, "waiting_steps");
  if (result_.idle_scheduler_steps) {
    const auto idle =
        static_cast<std::uint64_t>(marking[net_.observables().scheduler_pool->value] - taken);
    add_product(*result_.idle_scheduler_steps, steps, idle, "idle_scheduler_steps");
  }
}

RunResult RunCounter::result(Outcome outcome, const Marking& final_marking) const {
  RunResult out = result_;
  out.outcome = outcome;
  out.final_marking = final_marking;
  return out;
}

}  // namespace pnsim
