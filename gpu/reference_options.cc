#include <cmath>

#include "gpu/options_shape.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

std::size_t option_count(const Point& point) { return static_cast<std::size_t>(point.at("n")); }

// Prices, strikes and years, each between -1 and 1.
Words options(const Point& point) {
  return make_numbers(point.input, static_cast<std::uint32_t>(3 * option_count(point)));
}

double share_below(double x) {
  const double k = 1 / (1 + double{kSlope} * std::fabs(x));
  const double polynomial =
      k * (kPolynomial1 +
           k * (kPolynomial2 + k * (kPolynomial3 + k * (kPolynomial4 + k * double{kPolynomial5}))));
  const double tail = std::exp(-0.5 * x * x) / kRootOfTwoPi * polynomial;
  return x > 0 ? 1 - tail : tail;
}

// Error bound of a price, in roundings of price + strike. The argument of the normal distribution
// has up to 5 roundings of a logarithm and a product of at most 5, and a spread of at least 0.15
// divides it: 340; its density is at most 0.4, so 140 remain. The distribution itself has 40: those
// of its polynomial, whose terms are up to 1.8, and of an exponential of up to -0.5 x^2. The
// products and the difference have 8.
constexpr double kRoundingsOfPrice = 140 + 40 + 8;

Expected prices(const Point& point, const Words& input) {
  const std::size_t n = option_count(point);
  const std::vector<float> all = numbers_of(input);
  std::vector<float> result(2 * n), tolerance(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const double price = kPriceMiddle + double{kPriceRange} * all[i];
    const double strike = kStrikeMiddle + double{kStrikeRange} * all[n + i];
    const double years = kYearsMiddle + double{kYearsRange} * all[2 * n + i];
    const double spread = kVolatility * std::sqrt(years);
    const double high =
        (std::log(price / strike) + (kRiskFree + 0.5 * kVolatility * kVolatility) * years) / spread;
    const double of_price = share_below(high), of_strike = share_below(high - spread);
    const double discounted = strike * std::exp(-kRiskFree * years);
    result[i] = static_cast<float>(price * of_price - discounted * of_strike);
    result[n + i] = static_cast<float>(discounted * (1 - of_strike) - price * (1 - of_price));
    tolerance[i] = tolerance[n + i] =
        static_cast<float>(kRoundingsOfPrice * kRounding * (price + strike));
  }
  return {words_of(result), std::move(tolerance)};
}

Work option_work(const Point& point) {
  const auto n = static_cast<double>(option_count(point));
  return {.elements = 2 * n, .bytes = 20 * n, .flops = 60 * n};
}

}  // namespace

const Reference& option_reference() {
  static const Reference reference = {"options", {"n"}, options, prices, option_work};
  return reference;
}

}  // namespace pnsim::gpu
