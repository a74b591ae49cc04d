// The token game: a net that is stepped forwards and backwards, one maximal step at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/law.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

// What happened at one contested place in one step. Transitions in index order.
struct Contest {
  PlaceId place;
  std::vector<TransitionId> competed, won, lost;
};

// Step n of a game with a seed is step n of `pnsim run --seed SEED` from the same marking: the
// draws are those of the law (docs/law.md) for replica 0 and stream 0.
class TokenGame {
 public:
  explicit TokenGame(Net net);
  TokenGame(const TokenGame&) = delete;
  TokenGame& operator=(const TokenGame&) = delete;

  const Net& net() const { return net_; }
  const Marking& marking() const { return marking_; }
  std::uint64_t steps() const { return history_.size(); }
  std::span<const TransitionId> enabled();  // at the marking

  // Why the run ends here: goal, dead, or fixed (engine/run.h). Nothing when a step can be made.
  std::optional<Outcome> outcome();

  // Makes up to `steps` steps and returns what fired in each, in index order. Stops early where the
  // run ends. Error 5 for more than 2^62 tokens in a place and for more firings than a game keeps;
  // the steps before stay.
  std::vector<std::vector<TransitionId>> step(std::uint64_t seed, std::uint64_t steps);

  // Takes back up to `steps` steps.
  void back(std::uint64_t steps);

  // The contests of the step that was made last; none at the start.
  std::vector<Contest> last_contests();

  // Firings of a whole game, which are kept to go back.
  static constexpr std::size_t kMaxFirings = 20'000'000;

 private:
  // Moves the marking back over a step.
  void undo(const std::vector<TransitionId>& fired, Marking& marking) const;

  Net net_;
  StepPlan plan_;
  Marking marking_;
  std::vector<std::vector<TransitionId>> history_;  // [step] what fired
  std::size_t firings_ = 0;                         // in the history
};

}  // namespace pnsim
