#include "simulator/engine/run.h"

#include <optional>
#include <type_traits>

#include "simulator/base/activity.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/state_watch.h"
#include "simulator/engine/steady_blocks.h"

namespace pnsim {
namespace {

RunResult with_times(RunResult result, StateWatch& watch) {
  result.state_times = watch.times(result.steps);
  return result;
}

// For runs without recording of states: the calls are empty and cost nothing.
struct WatchNothing {
  void note_ended(const FastEngine&) {}
  void note_fired(std::span<const TransitionId>, std::uint64_t, std::uint64_t) {}
  void note_changes(std::span<const TransitionId>, const Marking&, std::uint64_t) {}
};

// Watch for runs that may skip blocks.
class BlockWatch : public WatchNothing {
 public:
  explicit BlockWatch(const AlikeBlocks& alike) : alike_(alike), blocks_(alike) {}
  template <class Engine>
  void remove_tokens(Engine& engine, const Marking& marking, const RunCounter& counter) {
    const std::int64_t blocks = blocks_.blocks_to_remove(marking, counter.so_far());
    if (blocks > 0) engine.remove_tokens(alike_.places, blocks);
  }
  const SteadyBlocks& blocks() const { return blocks_; }

 private:
  const AlikeBlocks& alike_;
  SteadyBlocks blocks_;
};

class TimedWatch : public StateWatch {
 public:
  using StateWatch::StateWatch;
  void note_ended(const FastEngine& engine) {
    for (const PlaceId p : engine.ended_countdowns()) note_tokens(p, 0, engine.steps());
  }
};

// How long a run goes on.
struct RunEnd {
  std::uint64_t max_steps;
  AtFixedMarking at_fixed = AtFixedMarking::kGoOn;
};

template <class Engine>
std::optional<Outcome> outcome_of(Engine& engine, const RunEnd& end) {
  const std::optional<Outcome> outcome = engine.outcome(end.max_steps);
  const bool looks =
      end.at_fixed == AtFixedMarking::kEnd && outcome.value_or(Outcome::kLimit) == Outcome::kLimit;
  return looks && engine.is_fixed() ? Outcome::kFixed : outcome;
}

template <class Watch>
RunResult run_by_the_book(ReferenceEngine& engine, RunCounter& counter, const RunEnd& end,
                          ConflictLog* log, Watch& watch) {
  ToldSteps told;
  while (true) {
    told.tell(engine.steps());
    if (const auto outcome = outcome_of(engine, end)) {
      return counter.result(*outcome, engine.marking());
    }
    const std::span<const TransitionId> fired = engine.choose();
    if (log) log->add_step(engine.plan(), fired);
    counter.count_step(engine.marking(), fired);
    watch.note_fired(fired, engine.steps(), 1);
    engine.fire();
    watch.note_changes(fired, engine.marking(), engine.steps());
    if constexpr (std::is_same_v<Watch, BlockWatch>)
      watch.remove_tokens(engine, engine.marking(), counter);
  }
}

template <class Watch>
RunResult run_timed(FastEngine& engine, RunCounter& counter, const RunEnd& end, ConflictLog* log,
                    Watch& watch) {
  ToldSteps told;
  while (true) {
    told.tell(engine.steps());
    const auto outcome = outcome_of(engine, end);
    watch.note_ended(engine);
    if (outcome) return counter.result(*outcome, engine.marking());
    const std::span<const TransitionId> fired = engine.choose();
    if (log && engine.has_conflicts()) engine.add_conflicts_to(*log);
    const std::uint64_t steps = engine.equal_steps(end.max_steps);
    counter.count_steps(engine.marking_without_ticks(), fired, engine.ticks(), steps);
    watch.note_fired(fired, engine.steps(), steps);
    if (steps == 1) {
      engine.fire();
    } else {
      engine.fire_equal(steps);
    }
    watch.note_changes(fired, engine.marking_without_ticks(), engine.steps());
    if constexpr (std::is_same_v<Watch, BlockWatch>) {
      watch.remove_tokens(engine, engine.marking_without_ticks(), counter);
    }
  }
}

}  // namespace

bool may_end_fixed(const Net& net) {
  if (net.has_goal()) return false;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (changes_nothing(net, TransitionId{t})) return true;
  }
  return false;
}

RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                        std::span<const UnitStates> units, AtFixedMarking at_fixed) {
  const RunEnd end{max_steps, at_fixed};
  ReferenceEngine engine(net, id);
  RunCounter counter(net, id);
  if (units.empty()) {
    WatchNothing watch;
    return run_by_the_book(engine, counter, end, log, watch);
  }
  StateWatch watch(net, units);
  return with_times(run_by_the_book(engine, counter, end, log, watch), watch);
}

RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                          std::span<const UnitStates> units, AtFixedMarking at_fixed) {
  const RunEnd end{max_steps, at_fixed};
  RunCounter counter(net, id);
  if (units.empty()) {
    FastEngine engine(net, id, Delays::kTimed);
    WatchNothing watch;
    return run_timed(engine, counter, end, log, watch);
  }
  const bool needs_ticks = StateWatch::needs_ticks(net, units);
  FastEngine engine(net, id, needs_ticks ? Delays::kStepByStep : Delays::kTimed);
  TimedWatch watch(net, units);
  return with_times(run_timed(engine, counter, end, log, watch), watch);
}

namespace {

// `run` makes the run with a watch and a log; `run_all` makes the run of all blocks.
template <class Run, class RunAll>
RunResult run_leaving_out(const Net& net, std::uint64_t max_steps, ConflictLog* log,
                          const AlikeBlocks& alike, const Run& run, const RunAll& run_all) {
  std::optional<ConflictLog> mine;
  if (log) mine.emplace(net);
  BlockWatch watch(alike);
  RunResult result = run(watch, mine ? &*mine : nullptr);
  if (!watch.blocks().may_extend(result, max_steps)) return run_all();
  watch.blocks().extend(result);
  if (log) log->add(*mine);
  return result;
}

}  // namespace

RunResult run_reference(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                        const AlikeBlocks& alike) {
  const auto run = [&](BlockWatch& watch, ConflictLog* to) {
    ReferenceEngine engine(net, id);
    RunCounter counter(net, id);
    return run_by_the_book(engine, counter, {max_steps}, to, watch);
  };
  return run_leaving_out(net, max_steps, log, alike, run,
                         [&] { return run_reference(net, id, max_steps, log); });
}

RunResult run_incremental(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log,
                          const AlikeBlocks& alike) {
  const auto run = [&](BlockWatch& watch, ConflictLog* to) {
    FastEngine engine(net, id, Delays::kTimed);
    RunCounter counter(net, id);
    return run_timed(engine, counter, {max_steps}, to, watch);
  };
  return run_leaving_out(net, max_steps, log, alike, run,
                         [&] { return run_incremental(net, id, max_steps, log); });
}

}  // namespace pnsim
