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

// Of two kinds, by arcs alone.
//
// A delay: two places and two transitions, where no other transition takes from the places, no
// inhibitor and no observable asks for `passed`, and nothing else fills `passed`:
//
//   tick: 2 wait -> wait + passed        one step passes
//   end:  wait + length passed -> ...    after `length` steps
//
// It runs from a marking with length + 1 tokens in `wait` and none in `passed`: tick fires in
// `length` steps, then end.
//
// A countdown: a place from which nothing but `tick` takes, one token a step; it runs while it is
// marked, and tokens that come meanwhile are so many steps more.
//
//   tick: wait -> nothing
//
// While either runs `wait` is marked, which is all that goals and inhibitors ask.
struct Timer {
  PlaceId wait, passed;  // the same place twice: a countdown
  TransitionId tick;
  Tokens length = 0;     // of a delay

  bool is_countdown() const { return wait == passed; }
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

  void start(std::uint32_t i, std::uint64_t step, Tokens length);  // its first tick is in `step`
  void extend(std::uint32_t i, Tokens steps);
  void stop(std::uint32_t i);
  // Steps of a running timer that have passed before `step`, and that are left.
  Tokens passed(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(step - running_[i].since);
  }
  Tokens left(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(running_[i].until - step);
  }

  // The first step in which a running timer ends; the largest number when none runs.
  std::uint64_t next_end();
  // Stops a timer that ends in `step` and names it; kNone when there is none (left).
  std::uint32_t take_ended(std::uint64_t step);

  std::size_t size() const { return timers_.size(); }

 private:
  struct Running {
    std::uint64_t since = 0, until = 0;  // steps: its first, and the one after its last
    bool is_running = false;
    bool has_entry = false;              // in ends_, maybe of an earlier end
  };
  struct End {
    std::uint64_t step;
    std::uint32_t timer;
    bool operator>(const End& other) const { return step > other.step; }
  };
  bool is_stale(const End& end) const;  // the timer was stopped, started again or extended
  void renew_stale();

  std::vector<Timer> timers_;
  std::vector<std::uint32_t> timer_at_;  // [place]
  std::vector<Running> running_;         // [timer]
  std::uint64_t count_ = 0;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace pnsim
