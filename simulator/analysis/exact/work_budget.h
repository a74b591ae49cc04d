// A limit on the work of exact arithmetic that is the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulator/analysis/exact/rational.h"

namespace pnsim {

// Counts work in units of about one nanosecond on a common processor. Unlike time, the count is a
// pure function of the input. Fractions can grow with every step of a long chain. The limit bounds
// their time and also their memory, because a number of w words costs w^2 before it is stored.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t work) : left_(work) {}

  void spend(std::uint64_t work) { left_ -= std::min(work, left_); }

  // One greatest common divisor with its divisions: about 100 ns per product of 64-bit words.
  void spend_on_divisor(const Integer& a, const Integer& b) {
    spend(std::uint64_t{100} * a.backend().size() * b.backend().size());
  }

  bool exhausted() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

}  // namespace pnsim
