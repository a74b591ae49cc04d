// The running timers of a net (timers.h), ordered by the step in which they end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "simulator/engine/timers.h"

namespace pnsim {

// Ends within the next kSlots steps are on a time wheel with one slot per step; later ends are in a
// heap. `step` is always the current step, which never decreases.
class RunningTimers {
 public:
  explicit RunningTimers(const Net& net);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t kSlots = 4096;  // a power of two

  // The timer with this wait place, or kNone.
  std::uint32_t at(PlaceId wait) const { return timer_at_[wait.value]; }
  const Timer& timer(std::uint32_t i) const { return timers_[i]; }
  bool is_running(std::uint32_t i) const { return running_[i].is_running; }
  std::uint64_t count() const { return count_; }

  // Starts timer i; its first tick is in `step`.
  void start(std::uint32_t i, std::uint64_t step, Tokens length) {
    Running& timer = running_[i];
    timer.since = step;
    timer.until = step + static_cast<std::uint64_t>(length);
    timer.is_running = true;
    ++count_;
    // An existing entry has an earlier end; it is renewed when that step comes.
    if (!timer.has_entry) enter(i, step);
  }
  void extend(std::uint32_t i, Tokens steps) {
    running_[i].until += static_cast<std::uint64_t>(steps);
  }
  void stop(std::uint32_t i) {
    running_[i].is_running = false;
    --count_;
  }
  // Elapsed steps of a running timer before `step`, and remaining steps.
  Tokens passed(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(step - running_[i].since);
  }
  Tokens left(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(running_[i].until - step);
  }

  // A lower bound of the next end after `step`: exact unless a timer was extended or stopped. The
  // largest number when no timer runs.
  std::uint64_t next_end(std::uint64_t step) const;
  // Stops one timer that ends in `step` and returns it; kNone when none is left. Call it in every
  // step that next_end() returns.
  std::uint32_t take_ended(std::uint64_t step) {
    for (std::uint32_t i; (i = take_entry(step)) != kNone;) {
      Running& timer = running_[i];
      timer.has_entry = false;
      if (timer.is_running && timer.until == step) {
        stop(i);
        return i;
      }
      if (timer.is_running) enter(i, step);  // it was extended
    }
    return kNone;
  }

  std::size_t size() const { return timers_.size(); }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  struct Running {
    std::uint64_t since = 0, until = 0;  // steps: the first, and the one after the last
    std::uint32_t next = kNone;          // next timer in the same slot
    bool is_running = false;
    bool has_entry = false;  // on the wheel or in far_, possibly with an earlier end
  };
  struct End {
    std::uint64_t step;
    std::uint32_t timer;
    bool operator>(const End& other) const { return step > other.step; }
  };
  void enter(std::uint32_t i, std::uint64_t step) {
    Running& timer = running_[i];
    timer.has_entry = true;
    if (timer.until - step >= kSlots) return enter_far(i);
    const std::uint64_t slot = timer.until % kSlots;
    timer.next = first_[slot];
    first_[slot] = i;
    occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  std::uint32_t take_entry(std::uint64_t step) {
    const std::uint64_t slot = step % kSlots;
    const std::uint32_t i = first_[slot];
    if (i == kNone) return next_far_ == step ? take_far() : kNone;
    first_[slot] = running_[i].next;
    if (first_[slot] == kNone) occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    return i;
  }
  void enter_far(std::uint32_t i);
  std::uint32_t take_far();

  std::vector<Timer> timers_;
  std::vector<std::uint32_t> timer_at_;  // [place]
  std::vector<Running> running_;         // [timer]
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> first_;                   // [step mod kSlots] or kNone
  std::array<std::uint64_t, kSlots / 64> occupied_{};  // one bit per slot
  std::priority_queue<End, std::vector<End>, std::greater<>> far_;
  std::uint64_t next_far_ = kNever;  // the first step in far_
};

}  // namespace pnsim
