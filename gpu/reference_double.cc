#include <cmath>
#include <cstring>

#include "gpu/double_shapes.h"
#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

// Half the distance from 1 to the next double.
constexpr double kDoubleRounding = 0x1p-53;

Words words_of_doubles(const std::vector<double>& numbers) {
  Words words(2 * numbers.size());
  if (!numbers.empty()) std::memcpy(words.data(), numbers.data(), 8 * numbers.size());
  return words;
}

std::vector<double> doubles_of(const Words& words) {
  std::vector<double> numbers(words.size() / 2);
  if (!numbers.empty()) std::memcpy(numbers.data(), words.data(), 8 * numbers.size());
  return numbers;
}

// Doubles with all bits in use: a third of the numbers of the keys.
Words double_input(const Point& point, std::size_t count) {
  const std::vector<float> numbers =
      numbers_of(make_numbers(point.input, static_cast<std::uint32_t>(count)));
  std::vector<double> thirds(count);
  for (std::size_t i = 0; i < count; ++i) thirds[i] = double{numbers[i]} / 3;
  return words_of_doubles(thirds);
}

Expected expected_doubles(const std::vector<double>& numbers, const std::vector<double>& bounds) {
  std::vector<float> tolerance(2 * numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) tolerance[2 * i] = static_cast<float>(bounds[i]);
  return {words_of_doubles(numbers), std::move(tolerance), true};
}

std::size_t double_axis(const Point& point, const char* axis) {
  return static_cast<std::size_t>(point.at(axis));
}

Words double_grid(const Point& point) {
  return double_input(point, double_axis(point, "width") * double_axis(point, "height"));
}

// Error bound: seven operations here and on the device, each of at most eight times the largest
// summand.
Expected diffused(const Point& point, const Words& input) {
  const std::size_t width = double_axis(point, "width"), height = double_axis(point, "height");
  const std::vector<double> in = doubles_of(input);
  std::vector<double> out = in, bounds(in.size(), 0);
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      const double around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
      out[i] = in[i] + kDiffusion * (around - 4 * in[i]);
      bounds[i] = 14 * kDoubleRounding * 8 / 3;
    }
  }
  return expected_doubles(out, bounds);
}

Work double_stencil_work(const Point& point) {
  const double cells =
      static_cast<double>(double_axis(point, "width") * double_axis(point, "height"));
  return {.elements = cells, .bytes = 16 * cells, .flops = 7 * cells};
}

Words double_bodies(const Point& point) { return double_input(point, 4 * double_axis(point, "n")); }

// Error bound of a pull, in roundings: the squared distance has 5, its reciprocal root half of them
// and two units in the last place, the cube three times that, and 4 products follow. The sum adds
// one per body. The reference has as many.
Expected double_pulls(const Point& point, const Words& input) {
  const std::size_t n = double_axis(point, "n");
  const std::vector<double> bodies = doubles_of(input);
  std::vector<double> out(4 * n), bounds(4 * n);
  const double roundings = 2 * (3 * (2.5 + 4) + 4 + static_cast<double>(n));
  parallel_for(n, 0, [&](std::size_t i) {
    double sum[3] = {}, magnitude[3] = {};
    for (std::size_t other = 0; other < n; ++other) {
      double distance[3], squared = kDoubleSoftening;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        distance[axis] = bodies[4 * other + axis] - bodies[4 * i + axis];
        squared += distance[axis] * distance[axis];
      }
      const double strength = bodies[4 * other + 3] / (squared * std::sqrt(squared));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] += strength * distance[axis];
        magnitude[axis] += std::fabs(strength * distance[axis]);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out[4 * i + axis] = sum[axis];
      bounds[4 * i + axis] = roundings * kDoubleRounding * magnitude[axis];
    }
  });
  return expected_doubles(out, bounds);
}

Work double_nbody_work(const Point& point) {
  const auto n = static_cast<double>(double_axis(point, "n"));
  return {.elements = n, .bytes = 64 * n, .flops = 19 * n * n};
}

}  // namespace

const Reference& double_stencil_reference() {
  static const Reference reference = {
      "double_stencil", {"width", "height"}, double_grid, diffused, double_stencil_work};
  return reference;
}

const Reference& double_nbody_reference() {
  static const Reference reference = {
      "double_nbody", {"n"}, double_bodies, double_pulls, double_nbody_work};
  return reference;
}

}  // namespace pnsim::gpu
