#include "simulator/analysis/modulus.h"

#include <boost/multiprecision/miller_rabin.hpp>
#include <boost/random/mersenne_twister.hpp>

namespace pnsim {
namespace {

constexpr std::uint64_t kEnd = std::uint64_t{1} << 62;
constexpr unsigned kTrials = 25;  // a composite passes with probability 4^-25

// With a generator of its own, seeded alike: the same answer everywhere, in any thread.
bool is_prime(std::uint64_t candidate) {
  boost::random::mt19937 generator;
  return boost::multiprecision::miller_rabin_test(Integer(candidate), kTrials, generator);
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
