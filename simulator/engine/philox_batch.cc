#include "simulator/engine/philox_batch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pnsim {
namespace {

void draw_steps_plain(RunKey key, PlaceId place, std::uint64_t first_step, DrawBatch& out) {
  for (std::size_t i = 0; i < kDrawBatch; ++i) out[i] = draw_block(key, place, first_step + i, 0);
}

#if defined(__x86_64__)

// Philox4x32 (Salmon, Moraes, Dror, Shaw 2011), four blocks at a time. Each word of a block is the
// low half of a 64-bit element, so that one multiplication gives both halves of a product. The high
// halves are ignored.
struct FourBlocks {
  __m256i word[4];
};

__attribute__((target("avx2"))) inline void philox_round(FourBlocks& b, __m256i key0,
                                                         __m256i key1) {
  const __m256i product0 = _mm256_mul_epu32(b.word[0], _mm256_set1_epi64x(0xD2511F53));
  const __m256i product1 = _mm256_mul_epu32(b.word[2], _mm256_set1_epi64x(0xCD9E8D57));
  b.word[0] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), b.word[1]), key0);
  b.word[2] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), b.word[3]), key1);
  b.word[1] = product1;
  b.word[3] = product0;
}

// Stores 16 words, block after block.
__attribute__((target("avx2"))) inline void store_blocks(const FourBlocks& b, std::uint32_t* out) {
  const __m256i front = _mm256_blend_epi32(b.word[0], _mm256_slli_epi64(b.word[1], 32), 0xaa);
  const __m256i back = _mm256_blend_epi32(b.word[2], _mm256_slli_epi64(b.word[3], 32), 0xaa);
  const __m256i even = _mm256_unpacklo_epi64(front, back);  // blocks 0 and 2
  const __m256i odd = _mm256_unpackhi_epi64(front, back);   // blocks 1 and 3
  auto* const to = reinterpret_cast<__m256i*>(out);
  _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
}

__attribute__((target("avx2"))) void draw_steps_avx2(RunKey key, PlaceId place,
                                                     std::uint64_t first_step, DrawBatch& out) {
  static_assert(kDrawBatch == 8);
  const __m256i step = _mm256_set1_epi64x(static_cast<long long>(first_step));
  FourBlocks half[2];
  for (int h = 0; h < 2; ++h) {
    const __m256i steps = _mm256_add_epi64(
        step, _mm256_add_epi64(_mm256_set1_epi64x(4 * h), _mm256_set_epi64x(3, 2, 1, 0)));
    half[h].word[0] = _mm256_set1_epi64x(place.value);
    half[h].word[1] = steps;
    half[h].word[2] = _mm256_srli_epi64(steps, 32);
    half[h].word[3] = _mm256_setzero_si256();
  }
  std::uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const __m256i key0 = _mm256_set1_epi64x(k0), key1 = _mm256_set1_epi64x(k1);
    philox_round(half[0], key0, key1);
    philox_round(half[1], key0, key1);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  store_blocks(half[0], out[0].data());
  store_blocks(half[1], out[4].data());
}

#endif

}  // namespace

FirstWords::FirstWords(RunKey key) : key_(key) {
  for (auto& words : round_keys_) {
    words = {key[0], 0, key[1], 0};
    key[0] += 0x9E3779B9u;  // the Weyl sequence of Philox4x32
    key[1] += 0xBB67AE85u;
  }
}

void draw_steps(RunKey key, PlaceId place, std::uint64_t first_step, DrawBatch& out) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return draw_steps_avx2(key, place, first_step, out);
#endif
  draw_steps_plain(key, place, first_step, out);
}

}  // namespace pnsim
