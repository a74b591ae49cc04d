// Delays found in a net by their arcs: while one runs, nothing but the counting of its steps can
// happen to its places, so an engine need not look at it until it ends.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Two places and two transitions with these arcs, where no other transition takes from the places,
// no inhibitor and no observable asks for `passed`, and nothing else fills `passed`:
//
//   tick: 2 wait -> wait + passed        one step passes
//   end:  wait + length passed -> ...    after `length` steps
//
// It runs from a marking with length + 1 tokens in `wait` and none in `passed`: tick fires in
// `length` steps, then end. Meanwhile `wait` is marked, so goals and inhibitors see one token.
struct Timer {
  PlaceId wait, passed;
  TransitionId tick;
  Tokens length = 0;
};

std::vector<Timer> find_timers(const Net& net);

// The timers of a net that run at the step at hand, by the step in which they end.
class RunningTimers {
 public:
  explicit RunningTimers(const Net& net);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The timer whose wait place this is, or kNone.
  std::uint32_t at(PlaceId wait) const { return timer_at_[wait.value]; }
  const Timer& timer(std::uint32_t i) const { return timers_[i]; }
  bool is_running(std::uint32_t i) const { return running_[i].is_running; }
  std::uint64_t count() const { return count_; }

  void start(std::uint32_t i, std::uint64_t step);  // its first tick is in `step`
  void stop(std::uint32_t i);
  // Steps that have passed of a running timer before `step`.
  Tokens passed(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(step - running_[i].since);
  }

  // The first step in which a running timer ends; the largest number when none runs.
  std::uint64_t next_end();
  // Stops a timer that ends in `step` and names it; kNone when there is none (left).
  std::uint32_t take_ended(std::uint64_t step);

  std::size_t size() const { return timers_.size(); }

 private:
  struct Running {
    std::uint64_t since = 0;
    bool is_running = false;
  };
  struct End {
    std::uint64_t step;
    std::uint32_t timer;
    bool operator>(const End& other) const { return step > other.step; }
  };
  bool is_stale(const End& end) const;  // the timer was stopped, and maybe started again
  void drop_stale();

  std::vector<Timer> timers_;
  std::vector<std::uint32_t> timer_at_;  // [place]
  std::vector<Running> running_;         // [timer]
  std::uint64_t count_ = 0;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace pnsim
