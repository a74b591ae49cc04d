#include "simulator/analysis/exact/modulus.h"

#include <bit>

namespace pnsim {
namespace {

constexpr std::uint64_t kEnd = std::uint64_t{1} << 62;

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % n);
}

std::uint64_t power_mod(std::uint64_t a, std::uint64_t exponent, std::uint64_t n) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1, a = multiply_mod(a, a, n)) {
    if (exponent & 1) result = multiply_mod(result, a, n);
  }
  return result;
}

// The Miller-Rabin test of an odd n > 37 to one base.
bool passes(std::uint64_t n, std::uint64_t base) {
  const int twos = std::countr_zero(n - 1);
  std::uint64_t x = power_mod(base, (n - 1) >> twos, n);
  if (x == 1 || x == n - 1) return true;
  for (int i = 1; i < twos; ++i) {
    x = multiply_mod(x, x, n);
    if (x == n - 1) return true;
  }
  return false;
}

// No composite below 2^64 passes the test to all of the first twelve prime bases (Sorenson and
// Webster, Strong pseudoprimes to twelve prime bases, 2017).
bool is_prime(std::uint64_t candidate) {
  if (candidate % 2 == 0) return false;
  for (const std::uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    if (!passes(candidate, base)) return false;
  }
  return true;
}

}  // namespace

Modulus::Residue Modulus::of(const Integer& value) const {
  const Integer rest = value % prime_;  // has the sign of value
  return static_cast<Residue>(rest < 0 ? Integer(rest + prime_) : rest);
}

// a^(prime - 2), by Fermat's little theorem.
Modulus::Residue Modulus::inverse(Residue a) const {
  Residue result = 1;
  for (std::uint64_t exponent = prime_ - 2; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

Modulus PrimeSequence::operator[](std::size_t k) {
  while (primes_.size() <= k) {
    std::uint64_t candidate = (primes_.empty() ? kEnd : primes_.back()) - 1;
    while (!is_prime(candidate)) --candidate;
    primes_.push_back(candidate);
  }
  return Modulus(primes_[k]);
}

}  // namespace pnsim
