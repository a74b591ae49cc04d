// A bound on the work of exact arithmetic that is the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulator/analysis/exact/rational.h"

namespace pnsim {

// Counts work in about nanoseconds of a common processor: a pure function of the input, unlike
// time. Fractions can grow with every step of a long chain; this bounds the time they take and the
// memory too, as a number of w words costs w^2 before it is kept.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t work) : left_(work) {}

  void spend(std::uint64_t work) { left_ -= std::min(work, left_); }

  // One common divisor, with the divisions around it: about 100 ns a product of 64-bit words.
  void spend_on_divisor(const Integer& a, const Integer& b) {
    spend(std::uint64_t{100} * a.backend().size() * b.backend().size());
  }

  bool exhausted() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

}  // namespace pnsim
