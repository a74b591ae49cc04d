// Arithmetic modulo 62-bit primes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/analysis/exact/rational.h"

namespace pnsim {

// Residues are 0 ... prime - 1.
class Modulus {
 public:
  using Residue = std::uint64_t;

  // `prime` below 2^62.
  explicit Modulus(std::uint64_t prime) : prime_(prime) {}

  std::uint64_t prime() const { return prime_; }

  Residue of(const Integer& value) const;  // `value` may be negative
  Residue subtract(Residue a, Residue b) const { return a >= b ? a - b : a + prime_ - b; }
  Residue multiply(Residue a, Residue b) const {
    return static_cast<Residue>(Wide{a} * b % prime_);
  }

  // A factor for many products, which then need no division (V. Shoup's method).
  struct Factor {
    Residue value;
    std::uint64_t scaled;  // value * 2^64 / prime, rounded down
  };
  Factor factor(Residue value) const {
    return {value, static_cast<std::uint64_t>((Wide{value} << 64) / prime_)};
  }
  Residue multiply(Factor a, Residue b) const {
    // The quotient is at most 1 too small; the products are exact modulo 2^64.
    const auto quotient = static_cast<std::uint64_t>((Wide{a.scaled} * b) >> 64);
    const Residue rest = a.value * b - quotient * prime_;
    return rest >= prime_ ? rest - prime_ : rest;
  }
  Residue inverse(Residue a) const;  // of a != 0

 private:
  using Wide = unsigned __int128;

  std::uint64_t prime_;
};

// The primes below 2^62 in descending order. They are found on demand and kept.
class PrimeSequence {
 public:
  Modulus operator[](std::size_t k);

 private:
  std::vector<std::uint64_t> primes_;
};

}  // namespace pnsim
