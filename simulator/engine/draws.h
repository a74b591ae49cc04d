// Random draws of the firing rule: a pure function of (seed, replica, stream, step, place).
#pragma once

#include <array>
#include <cstdint>

#include "simulator/net/ids.h"

namespace pnsim {

// Identifies a run of a net. Every engine, thread and machine gives the same trajectory for the
// same RunId.
struct RunId {
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
  std::uint32_t stream = 0;
};

// The first two words of Philox4x32-10 with key (seed low, seed high) and counter (replica, stream,
// 0, 0).
using RunKey = std::array<std::uint32_t, 2>;
RunKey run_key(RunId id);

// Four words of Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) with the run key and counter
// (place, step low, step high, block).
std::array<std::uint32_t, 4> draw_block(RunKey key, PlaceId place, std::uint64_t step,
                                        std::uint32_t block);

// The draws d = 0, 1, 2 ... of one conflict in one step. `place` is the lowest contested place of
// the conflict.
class Draws {
 public:
  Draws(RunKey key, PlaceId place, std::uint64_t step) : key_(key), place_(place), step_(step) {}

  // Uniform in 0 ... size - 1 with a bias of at most size / 2^32: word d, scaled by multiplication.
  std::uint32_t next_below(std::uint32_t size) {
    if (next_ % 4 == 0) words_ = draw_block(key_, place_, step_, next_ / 4);
    return static_cast<std::uint32_t>((std::uint64_t{words_[next_++ % 4]} * size) >> 32);
  }

 private:
  RunKey key_;
  PlaceId place_;
  std::uint64_t step_;
  std::uint32_t next_ = 0;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace pnsim
