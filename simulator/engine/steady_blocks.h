// Steady state of blocks: a run of many equal blocks, executed one after the other in a few slots,
// need not be simulated to its end. Once blocks start at a steady rate, the blocks that have not
// started are removed, and the remaining run is extrapolated.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/run_result.h"

namespace pnsim {

// No block is skipped before this many rounds of resident blocks have started.
inline constexpr std::int64_t kRoundsLookedAt = 33;

// A net's description of such blocks.
struct AlikeBlocks {
  // Each holds one token per block that has not started, and loses no other tokens before that.
  // Each holds one token per block that has not started, and loses no other tokens before that.
  // Each holds one token per block that has not started, and loses no other tokens before that.
  std::vector<PlaceId> places;
  // The backlog: work that blocks leave behind waits here. These places must not fill up.
  std::vector<PlaceId> behind;
  std::int64_t blocks = 0;    // initial number
  std::int64_t resident = 1;  // maximum number at a time
  double most_error = 0;      // accepted error from skipping blocks, relative to the steps
};

// Observes a run and decides when blocks can be skipped.
class SteadyBlocks {
 public:
  explicit SteadyBlocks(const AlikeBlocks& alike);

  // Call it after each step. Returns how many blocks to remove, one token per block from each of
  // the places, and 0 until the rate is steady. The rate is steady when two consecutive looks
  // agree. Each look compares four consecutive windows of at least eight rounds of resident blocks.
  // The estimated error must be at most most_error. It combines the difference between the windows
  // (their range, or their standard deviation applied to the skipped blocks), a quarter of a round,
  // and the growing backlog behind the blocks. It is an estimate: rates that drift more slowly than
  // the windows are detected too late. If only a few blocks remain, none is skipped, because a
  // second run (may_extend) would cost more.
  std::int64_t blocks_to_remove(const Marking& marking, const RunResult& so_far) {
    const PlaceId watched = alike_.places[watched_];
    return marking[watched.value] == tokens_ ? 0 : look_at(marking, so_far);
  }

  // Checks the finished run without the skipped blocks, against the limit of steps. The blocks that
  // started last must end within about the time in which they would have been replaced. Otherwise a
  // backlog has built up behind the blocks, and more blocks would enlarge it.
  bool may_extend(const RunResult& result, std::uint64_t max_steps) const;
  // If may_extend() is true: extrapolates to all blocks and sets the bound of the error.
  void extend(RunResult& result) const;

 private:
  // The counts of a run.
  struct Counts {
    double steps = 0, firings = 0, waiting_steps = 0, idle_scheduler_steps = 0;
  };
  std::int64_t look_at(const Marking& marking, const RunResult& so_far);
  void note_begun(std::int64_t left, const Marking& marking, const RunResult& so_far);
  double backlog_growth(std::int64_t begun, std::int64_t window) const;
  Counts mean(std::int64_t begun) const;
  bool is_steady(std::int64_t begun, double steps);

  const AlikeBlocks& alike_;
  std::size_t watched_ = 0;  // index in places of the one that blocks leave first
  Tokens tokens_ = -1;       // its tokens at the last look; -1: that place is not yet known
  std::int64_t left_;        // blocks that have not started
  std::int64_t next_look_;
  bool was_steady_ = false;     // at the last look
  std::vector<Counts> sums_;    // [b] sums over the starts of the first b blocks
  std::vector<double> behind_;  // [round] tokens in `behind` when the round started
  std::int64_t blocks_removed_ = 0;
  double steps_before_ = 0;  // steps before the blocks were removed
  Counts each_;              // per block
  double step_error_ = 0;
};

}  // namespace pnsim
