#include "simulator/analysis/exact/fraction_sum.h"

namespace pnsim {

void FractionSum::add(const Integer& factor, const Rational& value) {
  const Integer top = numerator(value);
  const Integer bottom = denominator(value);
  const Integer rest = bottom_ % bottom;
  if (!rest.is_zero()) {
    budget_.spend_on_divisor(bottom, bottom);
    const Integer scale = bottom / gcd(rest, bottom);
    top_ *= scale;
    bottom_ *= scale;
  }
  top_ += factor * top * (bottom_ / bottom);
}

Rational FractionSum::divided_by(const Integer& divisor) const {
  budget_.spend_on_divisor(top_, bottom_);
  return {top_, bottom_ * divisor};
}

}  // namespace pnsim
