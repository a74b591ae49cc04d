// The engine for long runs: the same law and the same trajectories as the reference engine, but a
// step costs what it changes, not what the net holds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/enabled_set.h"
#include "simulator/engine/law.h"
#include "simulator/engine/run.h"
#include "simulator/engine/timers.h"

namespace pnsim {

// What becomes of the delays of a net (timers.h).
enum class Delays {
  kStepByStep,  // their steps are made like any others
  kTimed,       // they are left alone until they end
};

// Same interface and meaning as ReferenceEngine; tests hold the two against each other step by step.
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
  std::uint64_t equal_steps(std::uint64_t max_steps);
  // Makes that many equal steps, instead of fire().
  void fire_equal(std::uint64_t steps) { steps_ += steps; }

  Marking marking() const;
  // As marking(), but a delay that runs shows one token where it waits.
  const Marking& marking_without_ticks() const { return marking_; }
  // Countdowns that have ended at this marking, as outcome() found: nothing fired to empty them.
  std::span<const PlaceId> ended_countdowns() const { return ended_countdowns_; }
  std::uint64_t steps() const { return steps_; }
  const StepPlan& plan() const { return plan_; }

 private:
  void touch(PlaceId p);
  void set_tokens(PlaceId p, Tokens tokens);
  void end_timers();
  void stop_refilled_delays();
  void start_timer(PlaceId wait);
  void count_down(std::uint32_t countdown, Tokens tokens);

  const Net& net_;
  RunKey key_;
  Marking marking_;
  std::uint64_t steps_ = 0;
  StepPlan plan_;
  EnabledSet enabled_set_;
  std::vector<TransitionId> fired_;
  std::vector<char> is_goal_;          // [place]
  std::size_t marked_goal_places_ = 0;
  std::vector<char> is_touched_;       // [place] stands in touched_
  struct Touched {
    PlaceId place;
    Tokens before;
  };
  std::vector<Touched> touched_;       // places the step at hand may change
  std::optional<RunningTimers> timers_;  // with Delays::kTimed
  std::vector<PlaceId> ended_countdowns_;
  std::vector<char> is_neutral_;         // [transition] gives back what it takes
};

}  // namespace pnsim
