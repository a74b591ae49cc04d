#include "simulator/engine/steady_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace pnsim {
namespace {

constexpr std::int64_t kWindows = 4;
// Rounds of resident blocks: one fills the slots, then eight per window. Blocks that start together
// stay synchronised for many rounds, some slower and some faster than later. Shorter windows look
// steady although they are not.
constexpr std::int64_t kWindowRounds = (kRoundsLookedAt - 1) / kWindows;
constexpr std::int64_t kWindowShare =
    6;  // relative to the started blocks: the effect of the start fades
// Relative to a round; maximum difference of the ends of two runs.
constexpr double kOfRound = 0.25;
// Number of standard deviations of a 95 % interval from four windows (Student's t, 3 degrees of
// freedom).
constexpr double kDeviations = 3.18;
// If fewer than one in kLeastShare of the started blocks remain, skipping them saves less than a
// second run costs (when may_extend() requires one).
constexpr std::int64_t kLeastShare = 8;
// Relative to the steps in which the resident blocks would be replaced.
constexpr double kLongestEnd = 1.5;

std::uint64_t extended(std::uint64_t counted, double more) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(counted) + more));
}

}  // namespace

SteadyBlocks::SteadyBlocks(const AlikeBlocks& alike)
    : alike_(alike), left_(alike.blocks), next_look_(kRoundsLookedAt * alike.resident), sums_(1) {}

// Blocks start in bursts. The mean over one round of resident blocks removes the bursts.
SteadyBlocks::Counts SteadyBlocks::mean(std::int64_t begun) const {
  const Counts& last = sums_[static_cast<std::size_t>(begun)];
  const Counts& first = sums_[static_cast<std::size_t>(begun - alike_.resident)];
  const auto blocks = static_cast<double>(alike_.resident);
  return {(last.steps - first.steps) / blocks, (last.firings - first.firings) / blocks,
          (last.waiting_steps - first.waiting_steps) / blocks,
          (last.idle_scheduler_steps - first.idle_scheduler_steps) / blocks};
}

// The growth of the backlog behind the blocks from the earlier two windows to the later two,
// relative to the backlog. It is an upper bound of the share of a round's work that was left undone
// in them.
double SteadyBlocks::backlog_growth(std::int64_t begun, std::int64_t window) const {
  const auto round = [&](std::int64_t blocks) {
    return static_cast<std::size_t>(blocks / alike_.resident);
  };
  const auto mean_of = [&](std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t r = first; r < last; ++r) sum += behind_[r];
    return sum / static_cast<double>(std::max<std::size_t>(last - first, 1));
  };
  const std::size_t last = std::min(round(begun), behind_.size()),
                    middle = round(begun - 2 * window);
  const double before = mean_of(round(begun - 4 * window), middle), now = mean_of(middle, last);
  return now > before ? (now - before) / now : 0;
}

bool SteadyBlocks::is_steady(std::int64_t begun, double steps) {
  const std::int64_t window = std::max(kWindowRounds * alike_.resident, begun / kWindowShare);
  std::array<Counts, kWindows + 1> at;
  for (std::int64_t i = 0; i <= kWindows; ++i)
    at[static_cast<std::size_t>(i)] = mean(begun - i * window);
  std::array<double, kWindows> paces;
  for (std::size_t i = 0; i < kWindows; ++i) paces[i] = at[i].steps - at[i + 1].steps;
  const double average = std::accumulate(paces.begin(), paces.end(), 0.0) / kWindows;
  double squares = 0;
  for (const double pace : paces) squares += (pace - average) * (pace - average);
  const auto [shortest, longest] = std::minmax_element(paces.begin(), paces.end());
  const auto blocks = static_cast<double>(window), left = static_cast<double>(left_);
  // The number of windows that the skipped blocks would fill, with the mean of the seen ones: both
  // vary.
  const double windows = left / blocks;
  const double of_windows =
      kDeviations * std::sqrt(squares / (kWindows - 1) * (windows * windows / kWindows + windows));
  const auto of_block = [&](double last, double first) {
    return (last - first) / (kWindows * blocks);
  };
  each_ = {of_block(at[0].steps, at[kWindows].steps), of_block(at[0].firings, at[kWindows].firings),
           of_block(at[0].waiting_steps, at[kWindows].waiting_steps),
           of_block(at[0].idle_scheduler_steps, at[kWindows].idle_scheduler_steps)};
  const double round = static_cast<double>(alike_.resident) * each_.steps;
  step_error_ = std::max(of_windows, (*longest - *shortest) * windows) + kOfRound * round +
                backlog_growth(begun, window) * round / 2 * windows;
  return step_error_ <= alike_.most_error * (steps + left * each_.steps);
}

void SteadyBlocks::note_begun(std::int64_t left, const Marking& marking, const RunResult& so_far) {
  const Counts now{static_cast<double>(so_far.steps), static_cast<double>(so_far.firings),
                   static_cast<double>(so_far.waiting_steps.value_or(0)),
                   static_cast<double>(so_far.idle_scheduler_steps.value_or(0))};
  for (; left_ > left; --left_) {
    const Counts& sum = sums_.back();
    sums_.push_back({sum.steps + now.steps, sum.firings + now.firings,
                     sum.waiting_steps + now.waiting_steps,
                     sum.idle_scheduler_steps + now.idle_scheduler_steps});
  }
  const auto rounds = static_cast<std::size_t>((alike_.blocks - left) / alike_.resident);
  if (behind_.size() >= rounds) return;
  double tokens = 0;
  for (const PlaceId p : alike_.behind) tokens += static_cast<double>(marking[p.value]);
  behind_.resize(rounds, tokens);
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
  if (left == left_ || blocks_removed_ > 0 || left < alike_.resident) return 0;
  note_begun(left, marking, so_far);
  const std::int64_t begun = alike_.blocks - left;
  if (begun < next_look_ || left < begun / kLeastShare) return 0;
  const bool was_steady =
      std::exchange(was_steady_, is_steady(begun, static_cast<double>(so_far.steps)));
  next_look_ = begun + std::max<std::int64_t>(begun / 8, 1);
  if (!was_steady || !was_steady_) return 0;  // a single steady look may be chance
  steps_before_ = static_cast<double>(so_far.steps);
  return blocks_removed_ =
             // Whole rounds, so that the last round equals that of all blocks.
         left - left % alike_.resident;
}

bool SteadyBlocks::may_extend(const RunResult& result, std::uint64_t max_steps) const {
  if (blocks_removed_ == 0) return true;
  const double round = static_cast<double>(alike_.resident) * each_.steps;
  const double end = static_cast<double>(result.steps) - steps_before_;
  const double last_round =
      // The last round is not full.
      (alike_.blocks - blocks_removed_) % alike_.resident > 0 ? round : 0;
  const double all =
      static_cast<double>(result.steps) + static_cast<double>(blocks_removed_) * each_.steps;
  return result.outcome == Outcome::kGoal && all <= static_cast<double>(max_steps) &&
         end <= kLongestEnd * round + last_round;
}

void SteadyBlocks::extend(RunResult& result) const {
  if (blocks_removed_ == 0) return;
  const auto left_out = static_cast<double>(blocks_removed_);
  result.steps = extended(result.steps, left_out * each_.steps);
  result.firings = extended(result.firings, left_out * each_.firings);
  if (result.waiting_steps) {
    result.waiting_steps = extended(*result.waiting_steps, left_out * each_.waiting_steps);
  }
  if (result.idle_scheduler_steps) {
    result.idle_scheduler_steps =
        extended(*result.idle_scheduler_steps, left_out * each_.idle_scheduler_steps);
  }
  result.blocks_left_out = blocks_removed_;
  result.left_out_error = step_error_ / static_cast<double>(result.steps);
}

}  // namespace pnsim
