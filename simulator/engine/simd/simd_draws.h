// Random draws and bit sets for replicas in SIMD lanes. As in simd_group.h, all code depends on
// `V`.
#pragma once

#include <cstdint>

#include "simulator/engine/cuda/replica_draws.h"

namespace pnsim {

// Philox4x32-10 with one key per replica. It processes the words of even and of odd SIMD lanes
// separately, in elements twice as wide, because a product has twice the bits.
template <class V>
class SimdPhilox {
 public:
  using Words = typename V::Words;

  void set_keys(Words key0, Words key1) {
    for (int round = 0; round < kRounds; ++round) {
      even_keys_[round][0] = V::even(key0);
      even_keys_[round][1] = V::even(key1);
      odd_keys_[round][0] = V::odd(key0);
      odd_keys_[round][1] = V::odd(key1);
      key0 = key0 + V::all(0x9E3779B9u);
      key1 = key1 + V::all(0xBB67AE85u);
    }
  }

  // Replaces the four words of a counter by those of its block.
  void operator()(Words (&w)[4]) const {
    Half even[4] = {V::even(w[0]), V::even(w[1]), V::even(w[2]), V::even(w[3])};
    Half odd[4] = {V::odd(w[0]), V::odd(w[1]), V::odd(w[2]), V::odd(w[3])};
#pragma GCC unroll 10
    for (int round = 0; round < kRounds; ++round) {
      make_round(even, even_keys_[round]);
      make_round(odd, odd_keys_[round]);
    }
    for (int i = 0; i < 4; ++i) w[i] = V::join(even[i], odd[i]);
  }

 private:
  using Half = typename V::Half;
  static constexpr int kRounds = 10;

  static void make_round(Half (&w)[4], const Half (&keys)[2]) {
    const Half p = V::multiply(w[0], V::half_of(0xD2511F53u));
    const Half q = V::multiply(w[2], V::half_of(0xCD9E8D57u));
    w[0] = V::high_xor(q, w[1], keys[0]);
    w[2] = V::high_xor(p, w[3], keys[1]);
    w[1] = q;
    w[3] = p;
  }

  Half even_keys_[kRounds][2], odd_keys_[kRounds][2];
};

// Sets of up to 32 bits per word. A second word holds the number of set bits in each byte.
template <class V>
struct SimdBits {
  using Words = typename V::Words;

  static Words counts(Words set) {
    const Words nibble = V::all(0x0f0f0f0f);
    return V::add_bytes(V::of_nibbles(nibble_counts(), set & nibble),
                        V::of_nibbles(nibble_counts(), (set >> 4) & nibble));
  }

  // Prefix sums of the counts: byte i is the sum of bytes 0 ... i.
  static Words sums(Words counts) {
    counts = counts + (counts << 8);
    return counts + (counts << 16);
  }

  // Position of set bit number j; `byte_at` gets the bit offset of its byte.
  static Words select(Words set, Words sums, Words j, Words& byte_at) {
    byte_at = V::eight_per_byte_up_to(sums, V::low_byte_to_all(j));
    const Words before = ((sums << 8) >> byte_at) & V::all(0xff);
    return byte_at + select_of_byte((set >> byte_at) & V::all(0xff), j - before);
  }

 private:
  static __m128i nibble_counts() {
    return _mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0);
  }
  static __m128i nibble_positions() {  // positions of the set bits of a nibble, 2 bits each
    return _mm_set_epi8(-28, 0x39, 0x38, 0x0e, 0x34, 0x0d, 0x0c, 3, 0x24, 9, 8, 2, 4, 1, 0, 0);
  }
  static Words select_of_byte(Words byte, Words j) {
    const Words low = byte & V::all(15), below = V::of_nibbles(nibble_counts(), low);
    const auto is_high = j >= below;
    const Words nibble = V::where(is_high, byte >> 4, low);
    j = V::where(is_high, j - below, j);
    const Words at = (V::of_nibbles(nibble_positions(), nibble) >> (j + j)) & V::all(3);
    return at + V::keep(is_high, V::all(4));
  }
};

}  // namespace pnsim
