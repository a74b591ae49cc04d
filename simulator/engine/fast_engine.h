// The engine for long runs. It has the same firing rule and trajectories as the reference engine,
// but the cost of a step depends on what changes and not on the size of the net.
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

// How the engine treats the delays of a net (timers.h).
enum class Delays {
  kStepByStep,  // their ticks are ordinary firings
  kTimed,       // they are skipped until they end
};

// Makes the same steps as ReferenceEngine; tests compare the two step by step. The chosen
// transitions of a step have no defined order. The winners of hubs come last.
class FastEngine {
 public:
  FastEngine(const Net& net, RunId id, Delays delays = Delays::kStepByStep);
  FastEngine(const FastEngine&) = delete;
  FastEngine& operator=(const FastEngine&) = delete;

  std::optional<Outcome> outcome(std::uint64_t max_steps);
  // Whether the marking is fixed (run.h). Call it after outcome() returned nothing or kLimit.
  bool is_fixed() const;
  // Excludes the ticks of running delays: ticks() of them fire in this step as well.
  std::span<const TransitionId> choose();
  void fire();

  // With Delays::kTimed: the number of ticks in the chosen step.
  std::uint64_t ticks() const { return timers_ ? timers_->count() : 0; }
  // Number of steps equal to the chosen one, including it. Until a delay ends or the limit is
  // reached, only time passes. At least 1.
  std::uint64_t equal_steps(std::uint64_t max_steps) const {
    return !fired_.empty() && !effects_.is_neutral(fired_.front()) ? 1 : steps_alike(max_steps);
  }
  // Makes that many equal steps. It replaces fire().
  void fire_equal(std::uint64_t steps) { steps_ += steps; }

  // Removes `tokens` tokens from each of the places, between two steps. None of them may be the
  // place of a delay or implied (hubs.h).
  void remove_tokens(std::span<const PlaceId> places, Tokens tokens);

  Marking marking() const;
  // The same as marking(), except that a running delay shows one token in its wait place.
  const Marking& marking_without_ticks() const { return marking_; }
  // Countdowns that have ended at this marking. outcome() determines them, because no firing
  // emptied them.
  std::span<const PlaceId> ended_countdowns() const { return ended_countdowns_; }
  std::uint64_t steps() const { return steps_; }

  // The number for the current marking; the number for the chosen step.
  std::size_t enabled_count() const { return enabled_set_.size(); }
  bool has_conflicts() const { return !contests_.empty() || plan_has_conflicts(); }
  void add_conflicts_to(ConflictLog& log) const;

 private:
  // A hub with fewer tokens than its clients need.
  struct Contest {
    const EnabledSet::Queue* queue;
    std::size_t first, last;  // range of the winners in fired_
  };

  // In most steps of most nets no sharing transition is enabled. Then plan_ belongs to an earlier
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
  StepPlan plan_;  // for the sharing transitions, except clients of hubs
  std::vector<TransitionId> fired_;
  std::size_t first_served_ = 0, last_served_ = 0;  // range of the served clients in it
  std::vector<Contest> contests_;
  std::vector<TransitionId> remaining_;  // clients not yet chosen
  std::size_t marked_goal_places_ = 0;
  std::vector<std::uint32_t> changed_delays_;  // delays whose wait place the current step changes
  bool has_delays_ = false;                    // some timer is a delay and not a countdown
  std::vector<PlaceId> ended_countdowns_;
};

}  // namespace pnsim
