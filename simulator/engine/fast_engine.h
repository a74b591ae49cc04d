// The engine for long runs: the same law and the same trajectories as the reference engine, but a
// step costs what it changes, not what the net holds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/enabled_set.h"
#include "simulator/engine/firing_effects.h"
#include "simulator/engine/law.h"
#include "simulator/engine/run_result.h"
#include "simulator/engine/running_timers.h"

namespace pnsim {

class ConflictLog;

// What becomes of the delays of a net (timers.h).
enum class Delays {
  kStepByStep,  // their steps are made like any others
  kTimed,       // they are left alone until they end
};

// Makes the steps that ReferenceEngine makes; tests hold the two against each other step by step.
// What is chosen in a step comes in no order: who shares a contested place alone with others comes
// last.
class FastEngine {
 public:
  FastEngine(const Net& net, RunId id, Delays delays = Delays::kStepByStep);
  FastEngine(const FastEngine&) = delete;
  FastEngine& operator=(const FastEngine&) = delete;

  std::optional<Outcome> outcome(std::uint64_t max_steps);
  // Without the ticks of the delays that run: ticks() of them fire in this step as well.
  std::span<const TransitionId> choose();
  void fire();

  // Delays::kTimed. The ticks of the step that was chosen.
  std::uint64_t ticks() const { return timers_ ? timers_->count() : 0; }
  // Steps that are equal to the one that was chosen, itself included: nothing but time passes until
  // a delay ends, or the limit. At least 1.
  std::uint64_t equal_steps(std::uint64_t max_steps) const {
    return !fired_.empty() && !effects_.is_neutral(fired_.front()) ? 1 : steps_alike(max_steps);
  }
  // Makes that many equal steps, instead of fire().
  void fire_equal(std::uint64_t steps) { steps_ += steps; }

  // So many tokens less in each of the places, none of which is that of a delay or implied
  // (hubs.h), between two steps.
  void take_away(std::span<const PlaceId> places, Tokens tokens);

  Marking marking() const;
  // As marking(), but a delay that runs shows one token where it waits.
  const Marking& marking_without_ticks() const { return marking_; }
  // Countdowns that have ended at this marking, as outcome() found: nothing fired to empty them.
  std::span<const PlaceId> ended_countdowns() const { return ended_countdowns_; }
  std::uint64_t steps() const { return steps_; }

  // Of the marking at hand; of the step that was chosen.
  std::size_t enabled_count() const { return enabled_set_.size(); }
  bool has_conflicts() const { return !contests_.empty() || plan_has_conflicts(); }
  void add_conflicts_to(ConflictLog& log) const;

 private:
  // A hub that does not have enough for all of its clients.
  struct Contest {
    const EnabledSet::Queue* queue;
    std::size_t first, last;  // of the winners, in fired_
  };

  // Nobody who shares a place is enabled in most steps of most nets: then the plan is of another
  // step.
  bool has_plan() const { return !enabled_set_.sharing().empty(); }
  bool plan_has_conflicts() const { return has_plan() && !plan_.conflicts().empty(); }

  std::uint64_t steps_alike(std::uint64_t max_steps) const;
  void serve(const EnabledSet::Queue& queue);
  void settle_contest(const EnabledSet::Queue& queue, std::size_t clients, Tokens places);
  void take(const FiringEffects::Change& change);
  void give(const FiringEffects::Change& change);
  void end_timers();
  void stop_refilled_delays();
  void start_delay(std::uint32_t delay);
  void count_down(std::uint32_t countdown, Tokens tokens);
  [[noreturn]] void fail_too_many(PlaceId p) const;

  const Net& net_;
  RunKey key_;
  Marking marking_;
  std::uint64_t steps_ = 0;
  std::optional<RunningTimers> timers_;  // with Delays::kTimed
  EnabledSet enabled_set_;
  std::vector<char> is_goal_;  // [place]
  FiringEffects effects_;
  StepPlan plan_;  // of the transitions that share places, but for clients of hubs
  std::vector<TransitionId> fired_;
  std::size_t first_served_ = 0, last_served_ = 0;  // the clients in it
  std::vector<Contest> contests_;
  std::vector<TransitionId> remaining_;  // clients still in the running
  std::size_t marked_goal_places_ = 0;
  std::vector<std::uint32_t> changed_delays_;  // those whose wait place the step at hand changes
  bool has_delays_ = false;                    // among the timers, and not countdowns alone
  std::vector<PlaceId> ended_countdowns_;
};

}  // namespace pnsim
