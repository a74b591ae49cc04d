// Sixteen 32-bit words in an AVX-512 register, one per replica. Include it only where the compiler
// may use AVX-512 F, BW, DQ and VL (run_avx512.cc).
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "simulator/engine/simd/simd_tables.h"

namespace pnsim {

struct Avx512 {
  static constexpr std::uint32_t kLanes = 16;

  struct Mask {
    __mmask16 k;
    Mask operator&(Mask b) const { return {static_cast<__mmask16>(k & b.k)}; }
    Mask operator|(Mask b) const { return {static_cast<__mmask16>(k | b.k)}; }
    Mask operator~() const { return {static_cast<__mmask16>(~k)}; }
  };
  struct Words {
    __m512i v;
    Words operator+(Words b) const { return {_mm512_add_epi32(v, b.v)}; }
    Words operator-(Words b) const { return {_mm512_sub_epi32(v, b.v)}; }
    Words operator&(Words b) const { return {_mm512_and_si512(v, b.v)}; }
    Words operator|(Words b) const { return {_mm512_or_si512(v, b.v)}; }
    Words operator<<(Words b) const { return {_mm512_sllv_epi32(v, b.v)}; }
    Words operator>>(Words b) const { return {_mm512_srlv_epi32(v, b.v)}; }
    Words operator<<(unsigned n) const { return {_mm512_slli_epi32(v, n)}; }
    Words operator>>(unsigned n) const { return {_mm512_srli_epi32(v, n)}; }
    Mask operator==(Words b) const { return {_mm512_cmpeq_epu32_mask(v, b.v)}; }
    Mask operator<(Words b) const { return {_mm512_cmplt_epu32_mask(v, b.v)}; }
    Mask operator>=(Words b) const { return {_mm512_cmpge_epu32_mask(v, b.v)}; }
  };

  static Words all(std::uint32_t x) { return {_mm512_set1_epi32(static_cast<int>(x))}; }
  static Words zero() { return {_mm512_setzero_si512()}; }
  static Words numbers() {
    return {_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)};
  }
  static Mask from_bits(std::uint32_t bits) { return {static_cast<__mmask16>(bits)}; }
  static std::uint32_t bits(Mask m) { return m.k; }
  static bool any(Mask m) { return m.k != 0; }
  static Mask any_bit_of(Words a, Words b) { return {_mm512_test_epi32_mask(a.v, b.v)}; }
  static Mask no_bit_of(Words a, Words b) { return {_mm512_testn_epi32_mask(a.v, b.v)}; }

  static Words without(Words a, Words b) { return {_mm512_andnot_si512(b.v, a.v)}; }
  static Words min(Words a, Words b) { return {_mm512_min_epu32(a.v, b.v)}; }
  static Words max(Words a, Words b) { return {_mm512_max_epu32(a.v, b.v)}; }
  static Words where(Mask m, Words yes, Words no) {
    return {_mm512_mask_mov_epi32(no.v, m.k, yes.v)};
  }
  static Words keep(Mask m, Words a) { return {_mm512_maskz_mov_epi32(m.k, a.v)}; }
  static Words divide(Words a, std::uint32_t by) {  // a < 2^23
    const __m512 quotient =
        _mm512_div_ps(_mm512_cvtepi32_ps(a.v), _mm512_set1_ps(static_cast<float>(by)));
    return {_mm512_cvttps_epi32(quotient)};
  }
  static Words multiply(Words a, std::uint32_t b) {
    return {_mm512_mullo_epi32(a.v, _mm512_set1_epi32(static_cast<int>(b)))};
  }
  static Words multiply_high(Words a, Words b) {
    const __m512i even = _mm512_mul_epu32(a.v, b.v);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a.v, 32), _mm512_srli_epi64(b.v, 32));
    return {_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd)};
  }

  // Bytes.
  static Words of_nibbles(__m128i table, Words index) {  // bytes below 16
    return {_mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), index.v)};
  }
  static Words add_bytes(Words a, Words b) { return {_mm512_add_epi8(a.v, b.v)}; }
  static Words low_byte_to_all(Words a) {
    const __m128i from = _mm_set_epi8(12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0);
    return {_mm512_shuffle_epi8(a.v, _mm512_broadcast_i32x4(from))};
  }
  static Words sum_of_bytes(Words a) {  // the sum is below 2^15
    return {
        _mm512_madd_epi16(_mm512_maddubs_epi16(a.v, _mm512_set1_epi8(1)), _mm512_set1_epi16(1))};
  }
  // 8 times the number of bytes of `a` that are at most the byte of `most`.
  static Words eight_per_byte_up_to(Words a, Words most) {
    const __mmask64 k = _mm512_cmple_epu8_mask(a.v, most.v);
    return {
        _mm512_madd_epi16(_mm512_maddubs_epi16(_mm512_maskz_set1_epi8(k, 8), _mm512_set1_epi8(1)),
                          _mm512_set1_epi16(1))};
  }

  // Memory access. A gather gives 0 for words whose mask is not set.
  static Words load(const std::uint32_t* from) { return {_mm512_load_si512(from)}; }
  static void store(std::uint32_t* to, Words a) { _mm512_store_si512(to, a.v); }
  static Words gather(Mask m, const std::uint32_t* from, Words at) {
    return {_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m.k, at.v, from, 4)};
  }
  static void scatter(Mask m, std::uint32_t* to, Words at, Words a) {
    _mm512_mask_i32scatter_epi32(to, m.k, at.v, a.v, 4);
  }
  // Entry `at` of a table with at most `kMaxEntries` entries (16, 32 or 64), or of any size (0).
  // Tables are padded to a multiple of 64 words.
  template <int kMaxEntries>
  static Words look_up(const AlignedWords& table, Words at) {
    const std::uint32_t* const words = table.data();
    if constexpr (kMaxEntries == 16)
      return {_mm512_permutexvar_epi32(at.v, _mm512_load_si512(words))};
    if constexpr (kMaxEntries == 32) return {look_up_32(words, at.v)};
    if constexpr (kMaxEntries == 64) {
      const __mmask16 is_high = _mm512_test_epi32_mask(at.v, _mm512_set1_epi32(32));
      return {
          _mm512_mask_mov_epi32(look_up_32(words, at.v), is_high, look_up_32(words + 32, at.v))};
    }
    return {_mm512_i32gather_epi32(at.v, words, 4)};
  }
  static __m512i look_up_32(const std::uint32_t* table, __m512i at) {
    return _mm512_permutex2var_epi32(_mm512_load_si512(table), at, _mm512_load_si512(table + 16));
  }

  // Operands of Philox4x32-10: the words of even and of odd lanes in the low halves of 64-bit
  // elements, so that one multiplication gives both halves of a product. The high halves are
  // ignored.
  struct Half {
    __m512i v;
  };
  static Half even(Words a) { return {a.v}; }
  static Half odd(Words a) { return {_mm512_srli_epi64(a.v, 32)}; }
  static Words join(Half even, Half odd) {
    return {_mm512_mask_mov_epi32(even.v, 0xaaaa, _mm512_slli_epi64(odd.v, 32))};
  }
  static Half half_of(std::uint32_t x) { return {_mm512_set1_epi64(x)}; }
  static Half multiply(Half a, Half b) { return {_mm512_mul_epu32(a.v, b.v)}; }
  static Half high_xor(Half product, Half a, Half b) {
    return {_mm512_ternarylogic_epi64(_mm512_srli_epi64(product.v, 32), a.v, b.v, 0x96)};
  }
};

}  // namespace pnsim
