#include "simulator/analysis/exact/chain_equations.h"

#include <algorithm>

namespace pnsim {
namespace {

using Residue = Modulus::Residue;

// Integers known modulo a growing product of primes, each as the residue of smallest magnitude.
class ChineseRemainders {
 public:
  explicit ChineseRemainders(std::size_t count) : values_(count) {}

  void add(const Modulus& modulus, const std::vector<Residue>& residues) {
    const Residue inverse = modulus.inverse(modulus.of(product_));
    const Integer next = product_ * modulus.prime();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Residue missing = modulus.subtract(residues[i], modulus.of(values_[i]));
      values_[i] += product_ * modulus.multiply(missing, inverse);
      if (values_[i] * 2 > next) values_[i] -= next;
    }
    product_ = next;
  }

  const Integer& product() const { return product_; }
  const std::vector<Integer>& values() const { return values_; }

 private:
  Integer product_ = 1;
  std::vector<Integer> values_;
};

// A dense matrix of residues whose leading square part is brought to triangular form.
class ModularElimination {
 public:
  ModularElimination(const Modulus& modulus, std::size_t size, std::size_t sides)
      : modulus_(modulus), size_(size), width_(size + sides), cells_(size * width_) {}

  Residue& at(std::size_t i, std::size_t j) { return cells_[i * width_ + j]; }

  // Returns false when a pivot is a multiple of the prime; this prime is then useless.
  bool triangularize() {
    for (std::size_t k = 0; k < size_; ++k) {
      if (at(k, k) == 0) return false;
      determinant_ = modulus_.multiply(determinant_, at(k, k));
      const Residue inverse = modulus_.inverse(at(k, k));
      for (std::size_t i = k + 1; i < size_; ++i) {
        if (at(i, k) == 0) continue;
        subtract_row(i, k, modulus_.factor(modulus_.multiply(at(i, k), inverse)));
      }
    }
    return true;
  }

  // Returns x for the right-hand side in column size + q. Call it once, after triangularize().
  std::vector<Residue> back_substitute(std::size_t q) {
    std::vector<Residue> x(size_);
    for (std::size_t i = size_; i-- > 0;) {
      Residue sum = at(i, size_ + q);
      for (std::size_t j = i + 1; j < size_; ++j) {
        if (at(i, j) != 0) sum = modulus_.subtract(sum, modulus_.multiply(at(i, j), x[j]));
      }
      x[i] = modulus_.multiply(sum, modulus_.inverse(at(i, i)));
    }
    return x;
  }

  Residue determinant() const { return determinant_; }

 private:
  void subtract_row(std::size_t i, std::size_t k, Modulus::Factor factor) {
    for (std::size_t j = k + 1; j < width_; ++j) {
      if (at(k, j) == 0) continue;
      at(i, j) = modulus_.subtract(at(i, j), modulus_.multiply(factor, at(k, j)));
    }
  }

  const Modulus& modulus_;
  std::size_t size_, width_;
  std::vector<Residue> cells_;  // row by row
  Residue determinant_ = 1;
};

}  // namespace

Integer ChainEquations::common_denominator() const {
  Integer common = 1;
  for (const Rational& constant : constants_) common = lcm(common, denominator(constant));
  return common;
}

std::vector<Integer> ChainEquations::scaled_constants(const Integer& by) const {
  std::vector<Integer> out;
  for (const Rational& c : constants_) out.push_back(numerator(c) * (by / denominator(c)));
  return out;
}

// Hadamard's bound: a determinant is at most the product of the lengths of its rows. This uses
// their sums of absolute values, which are larger. The bound holds for every minor too, as no row
// is 0. y is a sum of `size` products of a constant and a minor.
Integer ChainEquations::bound(const std::vector<Integer>& constants) const {
  Integer product = 1;
  for (std::size_t i = 0; i < size_; ++i) {
    Integer sum = 0;
    for (std::size_t j = 0; j < size_; ++j) sum += abs(coefficients_[i * size_ + j]);
    product *= sum;
  }
  Integer largest = 1;
  for (const Integer& constant : constants) largest = std::max(largest, Integer(abs(constant)));
  return product * largest * size_;
}

// Returns y[j * sides + q], then the determinant; nothing when the prime divides a pivot.
std::vector<Residue> ChainEquations::solve_modulo(const Modulus& modulus,
                                                  const std::vector<Integer>& constants) const {
  ModularElimination elimination(modulus, size_, sides_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      const Integer& coefficient = coefficients_[i * size_ + j];
      if (!coefficient.is_zero()) elimination.at(i, j) = modulus.of(coefficient);
    }
    for (std::size_t q = 0; q < sides_; ++q) {
      elimination.at(i, size_ + q) = modulus.of(constants[i * sides_ + q]);
    }
  }
  if (!elimination.triangularize()) return {};
  std::vector<Residue> out(size_ * sides_);
  for (std::size_t q = 0; q < sides_; ++q) {
    const std::vector<Residue> x = elimination.back_substitute(q);
    for (std::size_t j = 0; j < size_; ++j) {
      out[j * sides_ + q] = modulus.multiply(elimination.determinant(), x[j]);
    }
  }
  out.push_back(elimination.determinant());
  return out;
}

std::optional<std::vector<Rational>> ChainEquations::solve(PrimeSequence& primes,
                                                           WorkBudget& budget) const {
  const Integer common = common_denominator();
  const std::vector<Integer> constants = scaled_constants(common);
  const Integer enough = 2 * bound(constants) + 1;
  ChineseRemainders found(size_ * sides_ + 1);
  for (std::size_t k = 0; found.product() < enough; ++k) {
    budget.spend(size_ * size_ * (3 * size_ + 10));
    if (budget.exhausted()) return std::nullopt;
    const Modulus modulus = primes[k];
    const std::vector<Residue> residues = solve_modulo(modulus, constants);
    if (!residues.empty()) found.add(modulus, residues);
  }
  const Integer divisor = found.values().back() * common;
  std::vector<Rational> x;
  for (std::size_t k = 0; k < size_ * sides_; ++k) {
    budget.spend_on_divisor(divisor, divisor);
    if (budget.exhausted()) return std::nullopt;
    x.emplace_back(found.values()[k], divisor);
  }
  return x;
}

}  // namespace pnsim
