#include <cmath>

#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

Words elements(const Point& point) {
  return make_numbers(point.input, static_cast<std::uint32_t>(point.at("n")));
}

// Error bound: the sum of d numbers in single precision, in any order, is within d - 1 roundings of
// the sum of the absolute numbers. The division adds one to the mean, the subtraction one to the
// result, and one is that of the expected value.
float tolerance_of(double number, double mean, double mean_magnitude, std::size_t d) {
  const double of_mean = static_cast<double>(d) * mean_magnitude;
  return static_cast<float>(kRounding * (of_mean + 2 * (std::fabs(number) + std::fabs(mean))));
}

// Elements beyond the last whole vector are not part of the result.
Expected normalized(const Point& point, const Words& input) {
  const auto d = static_cast<std::size_t>(point.at("d"));
  const std::size_t vectors = input.size() / d;
  const std::vector<float> in = numbers_of(input);
  std::vector<float> out(vectors * d), tolerance(vectors * d);
  for (std::size_t v = 0; v < vectors; ++v) {
    double sum = 0, magnitude = 0;
    for (std::size_t i = v * d; i < (v + 1) * d; ++i) {
      sum += in[i];
      magnitude += std::fabs(in[i]);
    }
    const double mean = sum / static_cast<double>(d);
    for (std::size_t i = v * d; i < (v + 1) * d; ++i) {
      out[i] = static_cast<float>(in[i] - mean);
      tolerance[i] = tolerance_of(in[i], mean, magnitude / static_cast<double>(d), d);
    }
  }
  return {words_of(out), std::move(tolerance)};
}

Work norm_work(const Point& point) {
  const auto d = point.at("d");
  const auto used = static_cast<double>(point.at("n") / d * d);
  return {.elements = used, .bytes = 8 * used, .flops = 2 * used};
}

}  // namespace

const Reference& norm_reference() {
  static const Reference reference = {"norm", {"n", "d"}, elements, normalized, norm_work};
  return reference;
}

}  // namespace pnsim::gpu
