// Sums of fractions over one common denominator.
#pragma once

#include "simulator/analysis/exact/rational.h"
#include "simulator/analysis/exact/work_budget.h"

namespace pnsim {

// Holds top / bottom unreduced, so that one costly reduction at the end replaces one per term.
class FractionSum {
 public:
  explicit FractionSum(WorkBudget& budget) : budget_(budget) {}

  // Adds factor * value.
  void add(const Integer& factor, const Rational& value);

  // The sum divided by `divisor`, in lowest terms.
  Rational divided_by(const Integer& divisor) const;

 private:
  WorkBudget& budget_;
  Integer top_ = 0;
  Integer bottom_ = 1;
};

}  // namespace pnsim
