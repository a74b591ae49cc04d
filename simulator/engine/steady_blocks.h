// Blocks in steady state: a run of many alike blocks, one after the other in a few slots, need not
// be made to its end. Once the blocks begin at a steady pace, those that have not begun are taken
// away, and what is left is run.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/run_result.h"

namespace pnsim {

// Nothing is left out before so many rounds of resident blocks have begun.
inline constexpr std::int64_t kRoundsLookedAt = 33;

// What a net says of such blocks.
struct AlikeBlocks {
  std::vector<PlaceId>
      places;  // each holds a token a block that has not begun, and loses no other tokens before
  std::vector<PlaceId>
      behind;  // what blocks leave behind is worked off from these: they must not fill up
  std::int64_t blocks = 0;    // at the start
  std::int64_t resident = 1;  // at most so many at a time
  double most_error = 0;      // that leaving blocks out may bring, relative to the steps
};

// Looks on while a run is made.
class SteadyBlocks {
 public:
  explicit SteadyBlocks(const AlikeBlocks& alike);

  // To be told after each step. How many blocks to take away, one token a block from each of the
  // places: 0 until the pace is steady. It is when it is the same, at two looks running, in four
  // windows that follow each other, of eight rounds of resident blocks each, or more: when what the
  // windows differ by (their range, or what their standard deviation lets expect of the blocks left
  // out), a quarter of a round, and what piles up behind the blocks make the steps wrong by at most
  // most_error. That is an estimate: paces that wander for longer than the windows are seen too
  // late. Nor are a few left out, of which a second run (may_extend) would cost more.
  std::int64_t to_take_away(const Marking& marking, const RunResult& so_far) {
    const PlaceId watched = alike_.places[watched_];
    return marking[watched.value] == tokens_ ? 0 : look_at(marking, so_far);
  }

  // Of the run without them, that has ended, and may take at most so many steps. Those that began
  // last end within the time in which they would have been replaced, or nearly so: else work has
  // piled up behind the blocks, and more blocks bring more of it.
  bool may_extend(const RunResult& result, std::uint64_t max_steps) const;
  // If so: what all blocks would have taken, and the bound of the error.
  void extend(RunResult& result) const;

 private:
  // What a run has counted.
  struct Counts {
    double steps = 0, firings = 0, waiting_steps = 0, idle_scheduler_steps = 0;
  };
  std::int64_t look_at(const Marking& marking, const RunResult& so_far);
  void note_begun(std::int64_t left, const Marking& marking, const RunResult& so_far);
  double piled_up(std::int64_t begun, std::int64_t window) const;
  Counts mean(std::int64_t begun) const;
  bool is_steady(std::int64_t begun, double steps);

  const AlikeBlocks& alike_;
  std::size_t watched_ = 0;  // of the places, the one that blocks leave first
  Tokens tokens_ = -1;       // in it, at the last look; -1: not yet known which it is
  std::int64_t left_;        // that have not begun
  std::int64_t next_look_;
  bool was_steady_ = false;     // at the last look
  std::vector<Counts> sums_;    // [b] over the beginnings of the first b blocks
  std::vector<double> behind_;  // [round] tokens in `behind` when it began
  std::int64_t taken_away_ = 0;
  double steps_before_ = 0;  // they were taken away
  Counts each_;              // a block
  double step_error_ = 0;
};

}  // namespace pnsim
