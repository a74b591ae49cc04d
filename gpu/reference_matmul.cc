#include <cmath>
#include <cstring>

#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

std::size_t size_of(const Point& point) { return static_cast<std::size_t>(point.at("n")); }

Words factors(const Point& point) {
  const std::size_t n = size_of(point);
  return make_numbers(point.input, static_cast<std::uint32_t>(2 * n * n));
}

// One row of the product in double precision, and the same for the absolute values.
struct Row {
  std::vector<double> sum, magnitude;
};

Row multiply_row(const std::vector<float>& factors, std::size_t n, std::size_t i) {
  Row row{std::vector<double>(n), std::vector<double>(n)};
  const float* const b = factors.data() + n * n;
  for (std::size_t k = 0; k < n; ++k) {
    const double a = factors[i * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      const double product = a * b[k * n + j];
      row.sum[j] += product;
      row.magnitude[j] += std::fabs(product);
    }
  }
  return row;
}

// Error bound: a sum of n products in single precision, in any order and with or without fused
// multiply-adds, is within (n + 1) roundings of the sum of the absolute products (Higham, Accuracy
// and Stability of Numerical Algorithms, section 3.1). One more rounding is that of the expected
// value.
Expected product(const Point& point, const Words& input) {
  const std::size_t n = size_of(point);
  const std::vector<float> numbers = numbers_of(input);
  std::vector<float> result(n * n), tolerance(n * n);
  parallel_for(n, 0, [&](std::size_t i) {
    const Row row = multiply_row(numbers, n, i);
    for (std::size_t j = 0; j < n; ++j) {
      result[i * n + j] = static_cast<float>(row.sum[j]);
      tolerance[i * n + j] =
          static_cast<float>(static_cast<double>(n + 2) * kRounding * row.magnitude[j]);
    }
  });
  return {words_of(result), std::move(tolerance)};
}

Work matmul_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n * n, .bytes = 12 * n * n, .flops = 2 * n * n * n};
}

}  // namespace

Words words_of(const std::vector<float>& numbers) {
  Words words(numbers.size());
  if (!numbers.empty()) std::memcpy(words.data(), numbers.data(), 4 * numbers.size());
  return words;
}

std::vector<float> numbers_of(const Words& words) {
  std::vector<float> numbers(words.size());
  if (!words.empty()) std::memcpy(numbers.data(), words.data(), 4 * words.size());
  return numbers;
}

const Reference& matmul_reference() {
  static const Reference reference = {"matmul", {"n"}, factors, product, matmul_work};
  return reference;
}

}  // namespace pnsim::gpu
