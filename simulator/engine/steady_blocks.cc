#include "simulator/engine/steady_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pnsim {
namespace {

constexpr std::int64_t kWindows = 4;
// Rounds of resident blocks: one to fill the slots, eight a window. Blocks that begin together run in step for many
// rounds, some slower and some faster than later: fewer rounds looked steady and were wrong by up to a tenth.
constexpr std::int64_t kWindowRounds = 8, kFirstLook = 1 + kWindowRounds * kWindows;
constexpr std::int64_t kWindowShare = 6;  // of the blocks that have begun: how they began is forgotten in time
constexpr double kOfRound = 0.25;         // by which the ends of two runs may differ
constexpr double kLongestEnd = 1.5;  // of the steps in which the resident blocks would be replaced

std::uint64_t extended(std::uint64_t counted, double more) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(counted) + more));
}

}  // namespace

SteadyBlocks::SteadyBlocks(const AlikeBlocks& alike)
    : alike_(alike), left_(alike.blocks), next_look_(kFirstLook * alike.resident), sums_(1) {}

// Blocks begin in bursts: the mean over as many as are resident knows nothing of these.
SteadyBlocks::Counts SteadyBlocks::mean(std::int64_t begun) const {
  const Counts& last = sums_[static_cast<std::size_t>(begun)];
  const Counts& first = sums_[static_cast<std::size_t>(begun - alike_.resident)];
  const auto blocks = static_cast<double>(alike_.resident);
  return {(last.steps - first.steps) / blocks, (last.firings - first.firings) / blocks,
          (last.waiting_steps - first.waiting_steps) / blocks,
          (last.idle_scheduler_steps - first.idle_scheduler_steps) / blocks};
}

bool SteadyBlocks::is_steady(std::int64_t begun, double steps) {
  const std::int64_t window = std::max(kWindowRounds * alike_.resident, begun / kWindowShare);
  std::array<Counts, kWindows + 1> at;
  for (std::int64_t i = 0; i <= kWindows; ++i) at[static_cast<std::size_t>(i)] = mean(begun - i * window);
  double shortest = at[0].steps, longest = 0;
  for (std::size_t i = 0; i < kWindows; ++i) {
    shortest = std::min(shortest, at[i].steps - at[i + 1].steps);
    longest = std::max(longest, at[i].steps - at[i + 1].steps);
  }
  const auto blocks = static_cast<double>(window), left = static_cast<double>(left_);
  const auto of_block = [&](double last, double first) { return (last - first) / (2 * blocks); };
  each_ = {of_block(at[0].steps, at[2].steps), of_block(at[0].firings, at[2].firings),
           of_block(at[0].waiting_steps, at[2].waiting_steps),
           of_block(at[0].idle_scheduler_steps, at[2].idle_scheduler_steps)};
  step_error_ = (longest - shortest) / blocks * left + kOfRound * static_cast<double>(alike_.resident) * each_.steps;
  return step_error_ <= alike_.most_error * (steps + left * each_.steps);
}

std::int64_t SteadyBlocks::look_at(const Marking& marking, const RunResult& so_far) {
  const auto tokens = [&](std::size_t i) { return marking[alike_.places[i].value]; };
  bool is_known = true;
  for (std::size_t i = 0; i < alike_.places.size(); ++i) {
    if (tokens(i) < tokens(watched_)) watched_ = i;
  }
  for (std::size_t i = 0; i < alike_.places.size(); ++i) {
    is_known = is_known && (i == watched_ || tokens(i) != tokens(watched_));
  }
  tokens_ = is_known ? tokens(watched_) : -1;
  const std::int64_t left = std::min(tokens(watched_), left_);
  if (left == left_) return 0;
  const Counts now{static_cast<double>(so_far.steps), static_cast<double>(so_far.firings),
                   static_cast<double>(so_far.waiting_steps.value_or(0)),
                   static_cast<double>(so_far.idle_scheduler_steps.value_or(0))};
  for (; left_ > left; --left_) {
    const Counts& sum = sums_.back();
    sums_.push_back({sum.steps + now.steps, sum.firings + now.firings, sum.waiting_steps + now.waiting_steps,
                     sum.idle_scheduler_steps + now.idle_scheduler_steps});
  }
  const std::int64_t begun = alike_.blocks - left;
  if (taken_away_ > 0 || begun < next_look_ || left < alike_.resident) return 0;
  next_look_ = begun + begun / 8;
  if (!is_steady(begun, now.steps)) return 0;
  steps_before_ = now.steps;
  return taken_away_ = left - left % alike_.resident;  // whole rounds: the last round is that of all blocks
}

bool SteadyBlocks::may_extend(const RunResult& result) const {
  const double end = static_cast<double>(result.steps) - steps_before_;
  const double rounds = kLongestEnd + 1;  // those of the last round that are left begin first
  return taken_away_ == 0 || (result.outcome == Outcome::kGoal &&
                              end <= rounds * static_cast<double>(alike_.resident) * each_.steps);
}

void SteadyBlocks::extend(RunResult& result) const {
  if (taken_away_ == 0) return;
  const auto left_out = static_cast<double>(taken_away_);
  result.steps = extended(result.steps, left_out * each_.steps);
  result.firings = extended(result.firings, left_out * each_.firings);
  if (result.waiting_steps) {
    result.waiting_steps = extended(*result.waiting_steps, left_out * each_.waiting_steps);
  }
  if (result.idle_scheduler_steps) {
    result.idle_scheduler_steps =
        extended(*result.idle_scheduler_steps, left_out * each_.idle_scheduler_steps);
  }
  result.blocks_left_out = taken_away_;
  result.left_out_error = step_error_ / static_cast<double>(result.steps);
}

}  // namespace pnsim
