// What happens in coming steps, one slot a step, so that the steps in between cost nothing.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "simulator/engine/lane_program.h"

namespace pnsim {

// What becomes true at the marking before a step.
struct alignas(64) WheelSlot {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  Signals change{};                                          // added to the signals
  std::array<std::uint64_t, kMaxLaneClasses> arrivals{};     // [lane class] bit w: lane w parks
  std::uint32_t woken = kNobody;                             // first of a list of lanes
};

class TimeWheel {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  TimeWheel() : slots_(64), occupied_(1) {}

  // Steps that can be looked ahead: less than this.
  std::uint64_t size() const { return slots_.size(); }

  // The slot of a step later than the one at hand; it counts as occupied from now on.
  WheelSlot& at(std::uint64_t step) {
    const std::uint64_t i = step & (slots_.size() - 1);
    occupied_[i / 64] |= std::uint64_t{1} << (i % 64);
    return slots_[i];
  }

  bool is_occupied(std::uint64_t step) const {
    const std::uint64_t i = step & (slots_.size() - 1);
    return (occupied_[i / 64] >> (i % 64) & 1) != 0;
  }

  // Empties the slot of the step.
  WheelSlot take(std::uint64_t step) {
    const std::uint64_t i = step & (slots_.size() - 1);
    occupied_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    const WheelSlot out = slots_[i];
    slots_[i] = WheelSlot{};
    return out;
  }

  // The first occupied step after `step`, or kNever.
  std::uint64_t next_after(std::uint64_t step) const {
    const std::uint64_t words = occupied_.size(), from = step + 1;
    const std::uint64_t first = (from & (slots_.size() - 1)) / 64;
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

  // Makes room to look `steps` ahead of `now`.
  void reserve(std::uint64_t steps, std::uint64_t now);

 private:
  std::vector<WheelSlot> slots_;          // a power of two of them: slot of step n is n mod size
  std::vector<std::uint64_t> occupied_;   // a bit a slot
};

inline void TimeWheel::reserve(std::uint64_t steps, std::uint64_t now) {
  if (steps < size()) return;
  TimeWheel grown;
  grown.slots_.resize(std::bit_ceil(steps + 1));
  grown.occupied_.resize(grown.slots_.size() / 64);
  for (std::uint64_t step = now; step < now + size(); ++step) {
    if (is_occupied(step)) grown.at(step) = slots_[step & (size() - 1)];
  }
  *this = std::move(grown);
}

}  // namespace pnsim
