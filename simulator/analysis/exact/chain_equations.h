// The linear equations of one strongly connected component of a chain, solved exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "simulator/analysis/exact/modulus.h"
#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/work_budget.h"

namespace pnsim {

// A system of linear equations, for i = 0 ... size-1 and each right-hand side q = 0 ... sides-1:
//     sum over j of coefficient(i, j) * x(j, q) = constant(i, q).
// The rows are those of (I - P) x = b of an absorbing Markov chain, each scaled to integer
// coefficients. The leading minors of such a matrix are positive, so elimination along the diagonal
// never finds a zero pivot.
class ChainEquations {
 public:
  ChainEquations(std::size_t size, std::size_t sides)
      : size_(size), sides_(sides), coefficients_(size * size), constants_(size * sides) {}

  Integer& coefficient(std::size_t i, std::size_t j) { return coefficients_[i * size_ + j]; }
  Rational& constant(std::size_t i, std::size_t q) { return constants_[i * sides_ + q]; }

  // Returns x[j * sides + q], or nothing when the budget is exhausted.
  //
  // Method: let L be the common denominator of the constants, det the determinant and
  // y = det * L * x. By Cramer's rule det and y are integers; Hadamard's bound limits their size.
  // They are computed modulo word-sized primes until the product of the primes exceeds twice the
  // bound, and are then combined by the Chinese remainder theorem. The result is exact, and the
  // growing fractions of a direct elimination never arise.
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
