// Schedules future events, one slot per step, so that the steps in between cost nothing.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "simulator/engine/lane_program.h"

namespace pnsim {

// The events that take effect at the marking before a step.
struct alignas(64) WheelSlot {
  static constexpr std::uint32_t kNoLane = ~std::uint32_t{0};

  Signals change;                                         // added to the signals
  std::array<std::uint64_t, kMaxLaneClasses> arrivals{};  // [lane class] bit w: lane w parks
  std::uint32_t woken = kNoLane;                          // head of a list of lanes to wake
};

class TimeWheel {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  TimeWheel() { resize(64); }

  // Events must lie less than this number of steps ahead.
  std::uint64_t size() const { return mask_ + 1; }

  // The slot of a step after the current one; it counts as occupied from now on.
  WheelSlot& at(std::uint64_t step) {
    const std::uint64_t i = step & mask_;
    occupied_[i / 64] |= std::uint64_t{1} << (i % 64);
    return slots_[i];
  }

  bool is_occupied(std::uint64_t step) const {
    const std::uint64_t i = step & mask_;
    return (occupied_[i / 64] >> (i % 64) & 1) != 0;
  }

  // The slot of the current step, which is no longer occupied. The caller must empty it.
  WheelSlot& take(std::uint64_t step) {
    const std::uint64_t i = step & mask_;
    occupied_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    return slots_[i];
  }

  // The first occupied step after `step`, or kNever.
  std::uint64_t next_after(std::uint64_t step) const {
    const std::uint64_t words = size() / 64, from = step + 1;
    const std::uint64_t first = (from & mask_) / 64;
    const std::uint64_t head = occupied_[first] >> (from % 64);
    if (head != 0) return from + static_cast<std::uint64_t>(std::countr_zero(head));
    std::uint64_t base = from - from % 64;
    for (std::uint64_t w = 1; w <= words; ++w) {
      base += 64;
      const std::uint64_t bits = occupied_[(first + w) & (words - 1)];
      if (bits != 0) return base + static_cast<std::uint64_t>(std::countr_zero(bits));
    }
    return kNever;
  }

  // Makes room for events `steps` steps ahead; `next` is the step after the current one.
  void reserve(std::uint64_t steps, std::uint64_t next) {
    if (steps < size()) return;
    TimeWheel grown;
    grown.resize(std::bit_ceil(steps + 1));
    for (std::uint64_t step = next; step < next + size(); ++step) {
      if (is_occupied(step)) grown.at(step) = slots_[step & mask_];
    }
    *this = std::move(grown);
  }

  std::size_t bytes() const { return size() * sizeof(WheelSlot) + size() / 8; }

 private:
  void resize(std::uint64_t size) {
    slots_ = std::make_unique<WheelSlot[]>(size);
    occupied_ = std::make_unique<std::uint64_t[]>(size / 64);
    mask_ = size - 1;
  }

  std::uint64_t mask_ = 0;                     // size - 1; the size is a power of two
  std::unique_ptr<WheelSlot[]> slots_;         // step n has slot n mod size
  std::unique_ptr<std::uint64_t[]> occupied_;  // one bit per slot
};

}  // namespace pnsim
