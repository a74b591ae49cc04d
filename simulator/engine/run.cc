#include "simulator/engine/run.h"

#include "simulator/base/error.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxSum = std::uint64_t{1} << 63;

// Both engines have the interface of ReferenceEngine.
template <class Engine>
RunResult run_with(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  Engine engine(net, id);
  RunCounter counter(net, id);
  while (true) {
    if (const auto outcome = engine.outcome(max_steps)) {
      return counter.result(*outcome, engine.marking());
    }
    const std::span<const TransitionId> fired = engine.choose();
    if (log) log->add_step(engine.plan(), fired);
    counter.count_step(engine.marking(), fired);
    engine.fire();
  }
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kLimit: return "limit";
    case Outcome::kDead: return "dead";
    case Outcome::kGoal: return "goal";
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

void RunCounter::count_step(const Marking& marking, std::span<const TransitionId> fired) {
  ++result_.steps;
  result_.firings += fired.size();
  if (!result_.waiting_steps && !result_.idle_scheduler_steps) return;
  std::uint64_t waiting = 0;
  Tokens taken = 0;
  for (const TransitionId t : fired) {
    waiting += is_waiting_[t.value] ? 1 : 0;
    taken += pool_taken_by_[t.value];
  }
  if (result_.waiting_steps) *result_.waiting_steps += waiting;
  if (result_.idle_scheduler_steps) {
    const Tokens idle = marking[net_.observables().scheduler_pool->value] - taken;
    *result_.idle_scheduler_steps += static_cast<std::uint64_t>(idle);
    if (*result_.idle_scheduler_steps > kMaxSum) fail_limit("idle_scheduler_steps is over 2^63");
  }
}

RunResult RunCounter::result(Outcome outcome, const Marking& final_marking) const {
  RunResult out = result_;
  out.outcome = outcome;
  out.final_marking = final_marking;
  return out;
}

RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  return run_with<ReferenceEngine>(net, id, max_steps, log);
}

RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  return run_with<FastEngine>(net, id, max_steps, log);
}

RunResult run_fast(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  return FastRunner(net).run(id, max_steps, log);
}

}  // namespace pnsim
