// Computes the draws of future steps, several at a time.
#pragma once

#include <array>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "simulator/engine/draws.h"

namespace pnsim {

inline constexpr std::size_t kDrawBatch = 8;

// out[i] = draw_block(key, place, first_step + i, 0). It uses SIMD where the processor has it.
using DrawBatch = std::array<std::array<std::uint32_t, 4>, kDrawBatch>;
void draw_steps(RunKey key, PlaceId place, std::uint64_t first_step, DrawBatch& out);

// First words of single blocks: draw_block(key, place, step, 0)[0], for many places and steps of
// one run.
class FirstWords {
 public:
  explicit FirstWords(RunKey key);
  std::uint32_t operator()(PlaceId place, std::uint64_t step) const;

 private:
  RunKey key_;
  // Round keys in the layout that the rounds use: key word 0, 0, key word 1, 0.
  alignas(16) std::array<std::array<std::uint32_t, 4>, 10> round_keys_;
};

#if defined(__SSE2__)

// Computes both multiplications of a Philox4x32 round at once. `even` holds words 0 and 2 of the
// block, `odd` words 1 and 3, each in the low half of a 64-bit element. The high halves are
// ignored.
inline std::uint32_t FirstWords::operator()(PlaceId place, std::uint64_t step) const {
  const auto low = static_cast<int>(step), high = static_cast<int>(step >> 32);
  __m128i even = _mm_set_epi32(0, high, 0, static_cast<int>(place.value));
  __m128i odd = _mm_set_epi32(0, 0, 0, low);
  const __m128i factors =
      _mm_set_epi32(0, static_cast<int>(0xCD9E8D57), 0, static_cast<int>(0xD2511F53));
  for (const auto& words : round_keys_) {
    const __m128i key = _mm_load_si128(reinterpret_cast<const __m128i*>(words.data()));
    const __m128i products = _mm_mul_epu32(even, factors);
    even = _mm_xor_si128(_mm_xor_si128(_mm_shuffle_epi32(products, 0x13), odd), key);
    odd = _mm_shuffle_epi32(products, 0x02);
  }
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(even));
}

#else

inline std::uint32_t FirstWords::operator()(PlaceId place, std::uint64_t step) const {
  return draw_block(key_, place, step, 0)[0];
}

#endif

// The first block of draws of one place, computed kDrawBatch steps ahead.
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
  // No step computed yet: no run reaches this step.
  std::uint64_t first_ = ~std::uint64_t{0} - kDrawBatch;
  DrawBatch batch_{};
};

}  // namespace pnsim
