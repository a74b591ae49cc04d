// Two registers of words used as one. Work on the second hides the latency of the first.
#pragma once

#include <cstdint>

#include "simulator/engine/simd/simd_tables.h"

namespace pnsim {

template <class V>
struct Twice {
  static constexpr std::uint32_t kLanes = 2 * V::kLanes;

  struct Mask {
    typename V::Mask a, b;
    Mask operator&(Mask o) const { return {a & o.a, b & o.b}; }
    Mask operator|(Mask o) const { return {a | o.a, b | o.b}; }
    Mask operator~() const { return {~a, ~b}; }
  };
  struct Words {
    typename V::Words a, b;
    Words operator+(Words o) const { return {a + o.a, b + o.b}; }
    Words operator-(Words o) const { return {a - o.a, b - o.b}; }
    Words operator&(Words o) const { return {a & o.a, b & o.b}; }
    Words operator|(Words o) const { return {a | o.a, b | o.b}; }
    Words operator<<(Words o) const { return {a << o.a, b << o.b}; }
    Words operator>>(Words o) const { return {a >> o.a, b >> o.b}; }
    Words operator<<(unsigned n) const { return {a << n, b << n}; }
    Words operator>>(unsigned n) const { return {a >> n, b >> n}; }
    Mask operator==(Words o) const { return {a == o.a, b == o.b}; }
    Mask operator<(Words o) const { return {a < o.a, b < o.b}; }
    Mask operator>=(Words o) const { return {a >= o.a, b >= o.b}; }
  };

  static Words all(std::uint32_t x) { return {V::all(x), V::all(x)}; }
  static Words zero() { return {V::zero(), V::zero()}; }
  static Words numbers() { return {V::numbers(), V::numbers() + V::all(V::kLanes)}; }
  static Mask from_bits(std::uint32_t bits) {
    return {V::from_bits(bits & kLow), V::from_bits(bits >> V::kLanes)};
  }
  static std::uint32_t bits(Mask m) { return V::bits(m.a) | V::bits(m.b) << V::kLanes; }
  static bool any(Mask m) { return V::any(m.a | m.b); }
  static Mask any_bit_of(Words x, Words y) {
    return {V::any_bit_of(x.a, y.a), V::any_bit_of(x.b, y.b)};
  }
  static Mask no_bit_of(Words x, Words y) {
    return {V::no_bit_of(x.a, y.a), V::no_bit_of(x.b, y.b)};
  }

  static Words without(Words x, Words y) { return {V::without(x.a, y.a), V::without(x.b, y.b)}; }
  static Words min(Words x, Words y) { return {V::min(x.a, y.a), V::min(x.b, y.b)}; }
  static Words max(Words x, Words y) { return {V::max(x.a, y.a), V::max(x.b, y.b)}; }
  static Words where(Mask m, Words yes, Words no) {
    return {V::where(m.a, yes.a, no.a), V::where(m.b, yes.b, no.b)};
  }
  static Words keep(Mask m, Words x) { return {V::keep(m.a, x.a), V::keep(m.b, x.b)}; }
  static Words divide(Words x, std::uint32_t by) {
    return {V::divide(x.a, by), V::divide(x.b, by)};
  }
  static Words multiply(Words x, std::uint32_t by) {
    return {V::multiply(x.a, by), V::multiply(x.b, by)};
  }
  static Words multiply_high(Words x, Words y) {
    return {V::multiply_high(x.a, y.a), V::multiply_high(x.b, y.b)};
  }

  template <class Table>
  static Words of_nibbles(const Table& table, Words at) {
    return {V::of_nibbles(table, at.a), V::of_nibbles(table, at.b)};
  }
  static Words add_bytes(Words x, Words y) {
    return {V::add_bytes(x.a, y.a), V::add_bytes(x.b, y.b)};
  }
  static Words low_byte_to_all(Words x) {
    return {V::low_byte_to_all(x.a), V::low_byte_to_all(x.b)};
  }
  static Words sum_of_bytes(Words x) { return {V::sum_of_bytes(x.a), V::sum_of_bytes(x.b)}; }
  static Words eight_per_byte_up_to(Words x, Words most) {
    return {V::eight_per_byte_up_to(x.a, most.a), V::eight_per_byte_up_to(x.b, most.b)};
  }

  static Words load(const std::uint32_t* from) {
    return {V::load(from), V::load(from + V::kLanes)};
  }
  static void store(std::uint32_t* to, Words x) {
    V::store(to, x.a);
    V::store(to + V::kLanes, x.b);
  }
  static Words gather(Mask m, const std::uint32_t* from, Words at) {
    return {V::gather(m.a, from, at.a), V::gather(m.b, from, at.b)};
  }
  static void scatter(Mask m, std::uint32_t* to, Words at, Words x) {
    V::scatter(m.a, to, at.a, x.a);
    V::scatter(m.b, to, at.b, x.b);
  }
  template <int kMaxEntries>
  static Words look_up(const AlignedWords& table, Words at) {
    return {V::template look_up<kMaxEntries>(table, at.a),
            V::template look_up<kMaxEntries>(table, at.b)};
  }

  struct Half {
    typename V::Half a, b;
  };
  static Half even(Words x) { return {V::even(x.a), V::even(x.b)}; }
  static Half odd(Words x) { return {V::odd(x.a), V::odd(x.b)}; }
  static Words join(Half even, Half odd) {
    return {V::join(even.a, odd.a), V::join(even.b, odd.b)};
  }
  static Half half_of(std::uint32_t x) { return {V::half_of(x), V::half_of(x)}; }
  static Half multiply(Half x, Half y) { return {V::multiply(x.a, y.a), V::multiply(x.b, y.b)}; }
  static Half high_xor(Half product, Half x, Half y) {
    return {V::high_xor(product.a, x.a, y.a), V::high_xor(product.b, x.b, y.b)};
  }

 private:
  static constexpr std::uint32_t kLow = (std::uint32_t{1} << V::kLanes) - 1;
};

}  // namespace pnsim
