// Tests the exact solutions of integer equations and the modular arithmetic below them.
#include "simulator/analysis/exact/chain_equations.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/analysis/exact/naive_chain.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kPlenty = ~std::uint64_t{0};

TEST(PrimeSequence, StartsBelowTwoToThe62AndGoesDown) {
  PrimeSequence primes;
  EXPECT_EQ(primes[0].prime(), (std::uint64_t{1} << 62) - 57);
  for (std::size_t k = 1; k < 20; ++k) EXPECT_LT(primes[k].prime(), primes[k - 1].prime());
  EXPECT_EQ(primes[0].prime(), (std::uint64_t{1} << 62) - 57) << "kept";
}

// Miller-Rabin with the first 12 primes as bases is a proof below 3.3 * 10^24 (J. Sorenson,
// J. Webster, Mathematics of Computation 86, 2017).
bool is_proved_prime(std::uint64_t n) {
  const int twos = std::countr_zero(n - 1);
  const Integer modulus = n;
  for (const int base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    Integer x = powm(Integer(base), Integer((n - 1) >> twos), modulus);
    bool passes = x == 1;
    for (int k = 0; k < twos; ++k, x = x * x % modulus) passes |= x == modulus - 1;
    if (!passes) return false;
  }
  return true;
}

TEST(PrimeSequence, HoldsAllPrimesAndNothingElse) {
  EXPECT_FALSE(is_proved_prime((std::uint64_t{1} << 62) - 1));
  PrimeSequence primes;
  std::size_t next = 0;
  for (std::uint64_t n = (std::uint64_t{1} << 62) - 1; next < 100; n -= 2) {
    if (is_proved_prime(n)) {
      ASSERT_EQ(primes[next++].prime(), n);
    }
  }
}

TEST(ModulusArithmetic, AgreesWithIntegers) {
  PrimeSequence primes;
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const Modulus modulus = primes[random() % 3];
    const std::uint64_t p = modulus.prime();
    // A faulty carry would show at values near both ends.
    const auto residue = [&] {
      const std::uint64_t small = random() % 3;
      return round % 3 == 0 ? random() % p : round % 3 == 1 ? p - 1 - small : small;
    };
    const std::uint64_t a = residue(), b = residue();
    EXPECT_EQ(modulus.multiply(a, b), Integer(a) * b % p);
    EXPECT_EQ(modulus.multiply(modulus.factor(a), b), Integer(a) * b % p);
    EXPECT_EQ(modulus.subtract(a, b), (Integer(a) + p - b) % p);
    EXPECT_EQ(modulus.of(Integer(a) - Integer(b) * p), a);
    if (a != 0) {
      EXPECT_EQ(modulus.multiply(a, modulus.inverse(a)), 1u);
    }
  }
}

// Rows as in a chain: the probability of leaving a state is at least that of going to the others,
// and the last state also leaves the component.
struct RandomSystem {
  std::vector<std::vector<Rational>> a, b;
  ChainEquations equations;

  RandomSystem(std::size_t size, std::size_t sides, const Integer& bottom, std::uint64_t seed)
      : a(size, std::vector<Rational>(size)),
        b(size, std::vector<Rational>(sides)),
        equations(size, sides) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      Integer leaving = i + 1 == size ? 1 : 0;
      for (std::size_t j = 0; j < size; ++j) {
        // An edge to the next state keeps the component connected.
        const Integer weight = j == i ? 0 : j == i + 1 ? 1 + random() % 9 : random() % 3 / 2 * 5;
        leaving += weight;
        equations.coefficient(i, j) = -weight;
      }
      equations.coefficient(i, i) = leaving;
      for (std::size_t j = 0; j < size; ++j) a[i][j] = equations.coefficient(i, j);
      for (std::size_t q = 0; q < sides; ++q) {
        b[i][q] = Rational(Integer(random() % 1000), bottom + i);
        equations.constant(i, q) = b[i][q];
      }
    }
  }
};

TEST(ChainEquations, AgreeWithPlainEliminationInFractions) {
  PrimeSequence primes;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::size_t size = 1 + seed % 12;
    const std::size_t sides = 1 + seed % 3;
    RandomSystem system(size, sides, 1 + seed % 5, seed);
    WorkBudget budget(kPlenty);
    const auto x = system.equations.solve(primes, budget);
    ASSERT_TRUE(x);
    const auto expected = test::gauss_jordan(system.a, system.b);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t q = 0; q < sides; ++q) EXPECT_EQ((*x)[i * sides + q], expected[i][q]);
    }
  }
}

TEST(ChainEquations, TakeConstantsOfHundredsOfDigits) {
  PrimeSequence primes;
  const Integer huge = boost::multiprecision::pow(Integer(7), 700);
  RandomSystem system(5, 2, huge, 3);
  WorkBudget budget(kPlenty);
  const auto x = system.equations.solve(primes, budget);
  ASSERT_TRUE(x);
  const auto expected = test::gauss_jordan(system.a, system.b);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ((*x)[i], expected[i / 2][i % 2]);
  EXPECT_GT((*x)[0].str().size(), 500u);
}

TEST(ChainEquations, GiveUpWhenTheBudgetIsExhausted) {
  PrimeSequence primes;
  RandomSystem system(12, 1, 1, 4);
  WorkBudget little(1000);
  EXPECT_FALSE(system.equations.solve(primes, little));
  EXPECT_TRUE(little.exhausted());
  WorkBudget enough(10'000'000);
  EXPECT_TRUE(system.equations.solve(primes, enough));
  EXPECT_FALSE(enough.exhausted());
}

}  // namespace
}  // namespace pnsim
