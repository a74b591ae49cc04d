#include "simulator/engine/running_timers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pnsim {

RunningTimers::RunningTimers(const Net& net)
    : timers_(find_timers(net)),
      timer_at_(net.place_count(), kNone),
      running_(timers_.size()),
      first_(kSlots, kNone) {
  for (std::uint32_t i = 0; i < timers_.size(); ++i) timer_at_[timers_[i].wait.value] = i;
}

void RunningTimers::start(std::uint32_t i, std::uint64_t step, Tokens length) {
  running_[i].since = step;
  running_[i].until = step + static_cast<std::uint64_t>(length);
  running_[i].is_running = true;
  ++count_;
  // An entry that is there has an earlier end, and is renewed when that comes.
  if (!running_[i].has_entry) enter(i, step);
}

void RunningTimers::extend(std::uint32_t i, Tokens steps) {
  running_[i].until += static_cast<std::uint64_t>(steps);
}

void RunningTimers::stop(std::uint32_t i) {
  running_[i].is_running = false;
  --count_;
}

void RunningTimers::enter(std::uint32_t i, std::uint64_t step) {
  const std::uint64_t end = running_[i].until, slot = end % kSlots;
  running_[i].has_entry = true;
  if (end - step >= kSlots) return far_.push({end, i});
  running_[i].next = std::exchange(first_[slot], i);
  occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

std::uint64_t RunningTimers::next_end(std::uint64_t step) const {
  const std::uint64_t far = far_.empty() ? std::numeric_limits<std::uint64_t>::max()
                                         : far_.top().step;
  const std::uint64_t from = step + 1;
  const std::uint64_t first = from % kSlots / 64;
  const std::uint64_t head = occupied_[first] >> (from % 64);
  if (head != 0) return std::min(far, from + static_cast<std::uint64_t>(std::countr_zero(head)));
  std::uint64_t base = from - from % 64;
  for (std::uint64_t w = 1; w <= occupied_.size(); ++w) {
    base += 64;
    const std::uint64_t bits = occupied_[(first + w) % occupied_.size()];
    if (bits != 0) return std::min(far, base + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }
  return far;
}

std::uint32_t RunningTimers::take_entry(std::uint64_t step) {
  const std::uint64_t slot = step % kSlots, bit = std::uint64_t{1} << (slot % 64);
  if (occupied_[slot / 64] & bit) {
    const std::uint32_t i = first_[slot];
    first_[slot] = running_[i].next;
    if (first_[slot] == kNone) occupied_[slot / 64] &= ~bit;
    return i;
  }
  if (far_.empty() || far_.top().step != step) return kNone;
  const std::uint32_t i = far_.top().timer;
  far_.pop();
  return i;
}

std::uint32_t RunningTimers::take_ended(std::uint64_t step) {
  for (std::uint32_t i; (i = take_entry(step)) != kNone;) {
    running_[i].has_entry = false;
    if (!running_[i].is_running) continue;
    if (running_[i].until != step) {
      enter(i, step);
      continue;
    }
    stop(i);
    return i;
  }
  return kNone;
}

}  // namespace pnsim
