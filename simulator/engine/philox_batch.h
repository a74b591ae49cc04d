// Draws of coming steps, several at a time.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/engine/draws.h"

namespace pnsim {

inline constexpr std::size_t kDrawBatch = 8;

// out[i] = draw_block(key, place, first_step + i, 0), with SIMD where the processor has it.
using DrawBatch = std::array<std::array<std::uint32_t, 4>, kDrawBatch>;
void draw_steps(RunKey key, PlaceId place, std::uint64_t first_step, DrawBatch& out);

// The first blocks of one place's draws, made kDrawBatch steps ahead.
class DrawAhead {
 public:
  DrawAhead(RunKey key, PlaceId place) : key_(key), place_(place) {}

  PlaceId place() const { return place_; }

  // Words 0 ... 3 of the draws of `step`.
  const std::array<std::uint32_t, 4>& words(std::uint64_t step) {
    if (step - first_ >= kDrawBatch) {
      first_ = step;
      draw_steps(key_, place_, step, batch_);
    }
    return batch_[step - first_];
  }

 private:
  RunKey key_;
  PlaceId place_;
  std::uint64_t first_ = ~std::uint64_t{0} - kDrawBatch;  // no step yet: none is that late
  DrawBatch batch_{};
};

}  // namespace pnsim
