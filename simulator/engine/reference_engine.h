// The reference engine. It is the plain form of the firing rule: it examines every transition in
// every step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/law.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

// One run, step by step:
//
//   ReferenceEngine engine(net, {.seed = 1});
//   while (!engine.outcome(max_steps)) {
//     engine.choose();  // which transitions fire: look at marking(), plan(), the returned list
//     engine.fire();    // then they do
//   }
//
// The net must outlive the engine.
class ReferenceEngine {
 public:
  ReferenceEngine(const Net& net, RunId id);

  // Why the run ends at this marking, in the order of the firing rule: goal, dead, limit. Nothing
  // when a step can be made.
  std::optional<Outcome> outcome(std::uint64_t max_steps);

  // Whether the marking is fixed (run.h). Call it after outcome() returned nothing or kLimit.
  bool is_fixed() const;

  // The transitions of the next step, in no particular order. Call it once, after outcome()
  // returned nothing.
  std::span<const TransitionId> choose();

  // Makes the chosen step. Error 5 when a place would hold more than 2^62 tokens.
  void fire();

  // Removes `tokens` tokens from each of the places, between two steps.
  void remove_tokens(std::span<const PlaceId> places, Tokens tokens) {
    for (const PlaceId p : places) marking_[p.value] -= tokens;
  }

  const Marking& marking() const { return marking_; }
  std::uint64_t steps() const { return steps_; }
  const StepPlan& plan() const { return plan_; }  // for the marking of the last outcome() call

 private:
  const Net& net_;
  RunKey key_;
  Marking marking_;
  std::uint64_t steps_ = 0;
  StepPlan plan_;
  std::vector<TransitionId> fired_;
};

// Sets `fired` to the free transitions of the plan and the drawn winners of its conflicts.
void settle_all(StepPlan& plan, const Marking& marking, RunKey key, std::uint64_t step,
                std::vector<TransitionId>& fired);

// M' = M minus the inputs of `fired` plus their outputs. Error 5 for more than 2^62 tokens in a
// place.
void apply_step(const Net& net, std::span<const TransitionId> fired, Marking& marking);

}  // namespace pnsim
