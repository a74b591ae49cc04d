// The linear equations of one strongly connected component of a chain, solved exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "simulator/analysis/exact/modulus.h"
#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/work_budget.h"

namespace pnsim {

// For i = 0 ... size-1 and each right-hand side q = 0 ... sides-1:
//     sum over j of coefficient(i, j) * x(j, q) = constant(i, q),
// the rows of (I - P) x = b of an absorbing Markov chain, each scaled to integer coefficients: its
// leading minors are positive, so elimination along the diagonal never meets a zero.
class ChainEquations {
 public:
  ChainEquations(std::size_t size, std::size_t sides)
      : size_(size), sides_(sides), coefficients_(size * size), constants_(size * sides) {}

  Integer& coefficient(std::size_t i, std::size_t j) { return coefficients_[i * size_ + j]; }
  Rational& constant(std::size_t i, std::size_t q) { return constants_[i * sides_ + q]; }

  // x[j * sides + q]; nothing when the budget is exhausted.
  //
  // With L the common denominator of the constants, det = the determinant and y = det * L * x are
  // integers (Cramer's rule) and no larger than a bound known beforehand (Hadamard's). So they are
  // found modulo primes, in machine words, until the product of the primes passes twice the bound,
  // and put together by the Chinese remainder theorem: exact, and free of the intermediate
  // fractions whose growth makes elimination with fractions slow.
  std::optional<std::vector<Rational>> solve(PrimeSequence& primes, WorkBudget& budget) const;

 private:
  Integer common_denominator() const;
  std::vector<Integer> scaled_constants(const Integer& by) const;
  Integer bound(const std::vector<Integer>& constants) const;
  std::vector<Modulus::Residue> solve_modulo(const Modulus& modulus,
                                             const std::vector<Integer>& constants) const;

  std::size_t size_, sides_;
  std::vector<Integer> coefficients_;  // [i * size + j]
  std::vector<Rational> constants_;    // [i * sides + q]
};

}  // namespace pnsim
