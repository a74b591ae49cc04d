// The timers of a net (timers.h) that run at the step at hand, by the step in which they end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "simulator/engine/timers.h"

namespace pnsim {

// Ends of the next kSlots steps lie on a wheel, one slot a step; later ones in a heap. `step` of a
// function is always the step at hand, which never goes back.
class RunningTimers {
 public:
  explicit RunningTimers(const Net& net);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t kSlots = 4096;  // a power of two

  // The timer whose wait place this is, or kNone.
  std::uint32_t at(PlaceId wait) const { return timer_at_[wait.value]; }
  const Timer& timer(std::uint32_t i) const { return timers_[i]; }
  bool is_running(std::uint32_t i) const { return running_[i].is_running; }
  std::uint64_t count() const { return count_; }

  // Its first tick is in `step`.
  void start(std::uint32_t i, std::uint64_t step, Tokens length) {
    Running& timer = running_[i];
    timer.since = step;
    timer.until = step + static_cast<std::uint64_t>(length);
    timer.is_running = true;
    ++count_;
    // An entry that is there has an earlier end, and is renewed when that comes.
    if (!timer.has_entry) enter(i, step);
  }
  void extend(std::uint32_t i, Tokens steps) {
    running_[i].until += static_cast<std::uint64_t>(steps);
  }
  void stop(std::uint32_t i) {
    running_[i].is_running = false;
    --count_;
  }
  // Steps of a running timer that have passed before `step`, and that are left.
  Tokens passed(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(step - running_[i].since);
  }
  Tokens left(std::uint32_t i, std::uint64_t step) const {
    return static_cast<Tokens>(running_[i].until - step);
  }

  // A step after `step` before which no timer ends: the first in which one does, unless one was
  // extended or stopped. The largest number when none runs.
  std::uint64_t next_end(std::uint64_t step) const;
  // Stops a timer that ends in `step` and names it; kNone when there is none (left). To be asked in
  // every step that next_end() says.
  std::uint32_t take_ended(std::uint64_t step) {
    for (std::uint32_t i; (i = take_entry(step)) != kNone;) {
      Running& timer = running_[i];
      timer.has_entry = false;
      if (timer.is_running && timer.until == step) {
        stop(i);
        return i;
      }
      if (timer.is_running) enter(i, step);  // it has been extended
    }
    return kNone;
  }

  std::size_t size() const { return timers_.size(); }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  struct Running {
    std::uint64_t since = 0, until = 0;  // steps: its first, and the one after its last
    std::uint32_t next = kNone;          // of the same slot
    bool is_running = false;
    bool has_entry = false;  // on the wheel or in far_, maybe of an earlier end
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
  std::array<std::uint64_t, kSlots / 64> occupied_{};  // a bit a slot
  std::priority_queue<End, std::vector<End>, std::greater<>> far_;
  std::uint64_t next_far_ = kNever;  // the first step in it
};

}  // namespace pnsim
