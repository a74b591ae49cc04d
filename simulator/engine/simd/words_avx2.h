// Eight 32-bit words in an AVX2 register. It has the interface of words_avx512.h. Include it only
// where the compiler may use AVX2 (run_avx2.cc).
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "simulator/engine/simd/simd_tables.h"

namespace pnsim {

struct Avx2 {
  static constexpr std::uint32_t kLanes = 8;

  struct Mask {  // all bits of a word are set, or none
    __m256i v;
    Mask operator&(Mask b) const { return {_mm256_and_si256(v, b.v)}; }
    Mask operator|(Mask b) const { return {_mm256_or_si256(v, b.v)}; }
    Mask operator~() const { return {_mm256_xor_si256(v, _mm256_set1_epi32(-1))}; }
  };
  struct Words {
    __m256i v;
    Words operator+(Words b) const { return {_mm256_add_epi32(v, b.v)}; }
    Words operator-(Words b) const { return {_mm256_sub_epi32(v, b.v)}; }
    Words operator&(Words b) const { return {_mm256_and_si256(v, b.v)}; }
    Words operator|(Words b) const { return {_mm256_or_si256(v, b.v)}; }
    Words operator<<(Words b) const { return {_mm256_sllv_epi32(v, b.v)}; }
    Words operator>>(Words b) const { return {_mm256_srlv_epi32(v, b.v)}; }
    Words operator<<(unsigned n) const { return {_mm256_slli_epi32(v, static_cast<int>(n))}; }
    Words operator>>(unsigned n) const { return {_mm256_srli_epi32(v, static_cast<int>(n))}; }
    Mask operator==(Words b) const { return {_mm256_cmpeq_epi32(v, b.v)}; }
    Mask operator>=(Words b) const { return {_mm256_cmpeq_epi32(_mm256_max_epu32(v, b.v), v)}; }
    Mask operator<(Words b) const { return ~(*this >= b); }
  };

  static Words all(std::uint32_t x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
  static Words zero() { return {_mm256_setzero_si256()}; }
  static Words numbers() { return {_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)}; }
  static Mask from_bits(std::uint32_t bits) {
    const Words one = all(1) << numbers();
    return (all(bits) & one) == one;
  }
  static std::uint32_t bits(Mask m) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(m.v)));
  }
  static bool any(Mask m) { return _mm256_testz_si256(m.v, m.v) == 0; }
  static Mask no_bit_of(Words a, Words b) { return (a & b) == zero(); }
  static Mask any_bit_of(Words a, Words b) { return ~no_bit_of(a, b); }

  static Words without(Words a, Words b) { return {_mm256_andnot_si256(b.v, a.v)}; }
  static Words min(Words a, Words b) { return {_mm256_min_epu32(a.v, b.v)}; }
  static Words max(Words a, Words b) { return {_mm256_max_epu32(a.v, b.v)}; }
  static Words where(Mask m, Words yes, Words no) { return {_mm256_blendv_epi8(no.v, yes.v, m.v)}; }
  static Words keep(Mask m, Words a) { return {_mm256_and_si256(m.v, a.v)}; }
  static Words divide(Words a, std::uint32_t by) {  // a < 2^23
    const __m256 quotient =
        _mm256_div_ps(_mm256_cvtepi32_ps(a.v), _mm256_set1_ps(static_cast<float>(by)));
    return {_mm256_cvttps_epi32(quotient)};
  }
  static Words multiply(Words a, std::uint32_t b) { return {_mm256_mullo_epi32(a.v, all(b).v)}; }
  static Words multiply_high(Words a, Words b) {
    const __m256i even = _mm256_mul_epu32(a.v, b.v);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a.v, 32), _mm256_srli_epi64(b.v, 32));
    return {_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa)};
  }

  // Bytes.
  static Words of_nibbles(__m128i table, Words index) {  // bytes below 16
    return {_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), index.v)};
  }
  static Words add_bytes(Words a, Words b) { return {_mm256_add_epi8(a.v, b.v)}; }
  static Words low_byte_to_all(Words a) {
    const __m128i from = _mm_set_epi8(12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0);
    return {_mm256_shuffle_epi8(a.v, _mm256_broadcastsi128_si256(from))};
  }
  static Words sum_of_bytes(Words a) {  // the sum is below 2^15
    return {
        _mm256_madd_epi16(_mm256_maddubs_epi16(a.v, _mm256_set1_epi8(1)), _mm256_set1_epi16(1))};
  }
  // 8 times the number of bytes of `a` that are at most the byte of `most`.
  static Words eight_per_byte_up_to(Words a, Words most) {
    const __m256i up_to = _mm256_cmpeq_epi8(_mm256_max_epu8(a.v, most.v), most.v);
    return sum_of_bytes({_mm256_and_si256(up_to, _mm256_set1_epi8(8))});
  }

  // Memory access. A gather gives 0 for words whose mask is not set.
  static Words load(const std::uint32_t* from) {
    return {_mm256_load_si256(reinterpret_cast<const __m256i*>(from))};
  }
  static void store(std::uint32_t* to, Words a) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), a.v);
  }
  static Words gather(Mask m, const std::uint32_t* from, Words at) {
    return {_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(from),
                                        at.v, m.v, 4)};
  }
  static void scatter(Mask m, std::uint32_t* to, Words at, Words a) {
    alignas(32) std::uint32_t where[kLanes], what[kLanes];
    store(where, at);
    store(what, a);
    const std::uint32_t set = bits(m);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((set >> i & 1) != 0) to[where[i]] = what[i];
    }
  }
  // Entry `at` of a table with at most `kMaxEntries` entries (16, 32 or 64), or of any size (0).
  // Tables are padded to a multiple of 64 words.
  template <int kMaxEntries>
  static Words look_up(const AlignedWords& table, Words at) {
    if constexpr (kMaxEntries == 16 || kMaxEntries == 32)
      return look_up_in<kMaxEntries>(table.data(), at);
    return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(table.data()), at.v, 4)};
  }
  template <int kSize>
  static Words look_up_in(const std::uint32_t* words, Words at) {
    if constexpr (kSize == 8) {
      return {_mm256_permutevar8x32_epi32(load(words).v, at.v)};
    } else {
      const Words low = look_up_in<kSize / 2>(words, at),
                  high = look_up_in<kSize / 2>(words + kSize / 2, at);
      return where(any_bit_of(at, all(kSize / 2)), high, low);
    }
  }

  // Operands of Philox4x32-10: see words_avx512.h.
  struct Half {
    __m256i v;
  };
  static Half even(Words a) { return {a.v}; }
  static Half odd(Words a) { return {_mm256_srli_epi64(a.v, 32)}; }
  static Words join(Half even, Half odd) {
    return {_mm256_blend_epi32(even.v, _mm256_slli_epi64(odd.v, 32), 0xaa)};
  }
  static Half half_of(std::uint32_t x) { return {_mm256_set1_epi64x(x)}; }
  static Half multiply(Half a, Half b) { return {_mm256_mul_epu32(a.v, b.v)}; }
  static Half high_xor(Half product, Half a, Half b) {
    return {_mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product.v, 32), a.v), b.v)};
  }
};

}  // namespace pnsim
