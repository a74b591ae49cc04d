#include "simulator/engine/running_timers.h"

#include <algorithm>
#include <bit>

namespace pnsim {

RunningTimers::RunningTimers(const Net& net)
    : timers_(find_timers(net)),
      timer_at_(net.place_count(), kNone),
      running_(timers_.size()),
      first_(kSlots, kNone) {
  for (std::uint32_t i = 0; i < timers_.size(); ++i) timer_at_[timers_[i].wait.value] = i;
}

void RunningTimers::enter_far(std::uint32_t i) {
  far_.push({running_[i].until, i});
  next_far_ = far_.top().step;
}

std::uint32_t RunningTimers::take_far() {
  const std::uint32_t i = far_.top().timer;
  far_.pop();
  next_far_ = far_.empty() ? kNever : far_.top().step;
  return i;
}

std::uint64_t RunningTimers::next_end(std::uint64_t step) const {
  const std::uint64_t from = step + 1;
  const std::uint64_t first = from % kSlots / 64;
  const std::uint64_t head = occupied_[first] >> (from % 64);
  if (head != 0)
    return std::min(next_far_, from + static_cast<std::uint64_t>(std::countr_zero(head)));
  std::uint64_t base = from - from % 64;
  for (std::uint64_t w = 1; w <= occupied_.size(); ++w) {
    base += 64;
    const std::uint64_t bits = occupied_[(first + w) % occupied_.size()];
    if (bits != 0)
      return std::min(next_far_, base + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }
  return next_far_;
}

}  // namespace pnsim
