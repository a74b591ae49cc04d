#include "simulator/engine/run.h"

#include <string>

#include "simulator/base/error.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxSum = std::uint64_t{1} << 63;

void add_product(std::uint64_t& sum, std::uint64_t steps, std::uint64_t each, const char* what) {
  std::uint64_t more = 0;
  if (__builtin_mul_overflow(steps, each, &more) || __builtin_add_overflow(sum, more, &sum) ||
      sum > kMaxSum) {
    fail_limit(std::string(what) + " is over 2^63");
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

void RunCounter::count_steps(const Marking& marking, std::span<const TransitionId> fired,
                             std::uint64_t ticks, std::uint64_t steps) {
  result_.steps += steps;
  add_product(result_.firings, steps, fired.size() + ticks, "firings");
  if (!result_.waiting_steps && !result_.idle_scheduler_steps) return;
  std::uint64_t waiting = 0;
  Tokens taken = 0;
  for (const TransitionId t : fired) {
    waiting += is_waiting_[t.value] ? 1 : 0;
    taken += pool_taken_by_[t.value];
  }
  if (result_.waiting_steps) add_product(*result_.waiting_steps, steps, waiting, "waiting_steps");
  if (result_.idle_scheduler_steps) {
    const auto idle = static_cast<std::uint64_t>(
        marking[net_.observables().scheduler_pool->value] - taken);
    add_product(*result_.idle_scheduler_steps, steps, idle, "idle_scheduler_steps");
  }
}

RunResult RunCounter::result(Outcome outcome, const Marking& final_marking) const {
  RunResult out = result_;
  out.outcome = outcome;
  out.final_marking = final_marking;
  return out;
}

RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  ReferenceEngine engine(net, id);
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

RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  FastEngine engine(net, id, Delays::kTimed);
  RunCounter counter(net, id);
  while (true) {
    if (const auto outcome = engine.outcome(max_steps)) {
      return counter.result(*outcome, engine.marking());
    }
    const std::span<const TransitionId> fired = engine.choose();
    if (log) log->add_step(engine.plan(), fired);
    const std::uint64_t steps = engine.equal_steps(max_steps);
    counter.count_steps(engine.marking_without_ticks(), fired, engine.ticks(), steps);
    if (steps == 1) {
      engine.fire();
    } else {
      engine.fire_equal(steps);
    }
  }
}

RunResult run_fast(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  return FastRunner(net).run(id, max_steps, log);
}

}  // namespace pnsim
