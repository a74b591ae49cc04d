// The engine for long runs: the same law and the same trajectories as the reference engine, but a
// step costs what it changes, not what the net holds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/enabled_set.h"
#include "simulator/engine/law.h"
#include "simulator/engine/run.h"

namespace pnsim {

// Same interface and meaning as ReferenceEngine; tests hold the two against each other step by step.
class FastEngine {
 public:
  FastEngine(const Net& net, RunId id);

  std::optional<Outcome> outcome(std::uint64_t max_steps);
  std::span<const TransitionId> choose();
  void fire();

  const Marking& marking() const { return marking_; }
  std::uint64_t steps() const { return steps_; }
  const StepPlan& plan() const { return plan_; }

 private:
  void touch(PlaceId p);

  const Net& net_;
  RunKey key_;
  Marking marking_;
  std::uint64_t steps_ = 0;
  StepPlan plan_;
  EnabledSet enabled_set_;
  std::vector<TransitionId> enabled_, fired_;
  std::vector<char> is_goal_;          // [place]
  std::size_t marked_goal_places_ = 0;
  std::vector<char> is_touched_;       // [place] stands in touched_
  struct Touched {
    PlaceId place;
    Tokens before;
  };
  std::vector<Touched> touched_;       // places the step at hand may change
};

}  // namespace pnsim
