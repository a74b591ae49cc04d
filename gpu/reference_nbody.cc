#include <cmath>

#include "gpu/nbody_shape.h"
#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

// Coordinates x, y, z and mass of each body, all from -1 to 1; a negative mass repels.
Words bodies(const Point& point) {
  return make_numbers(point.input, static_cast<std::uint32_t>(4 * point.at("n")));
}

// Error bound of the acceleration by one body, in roundings. Coordinate differences are exact,
// because both are multiples of 2^-23 within [-1, 1). The squared distance has 4 roundings, and its
// reciprocal square root halves them to 2. The root itself has an error of 2 units in the last
// place, which is 4 roundings: 6 in total. The cube has 18, and 4 products follow. The sum adds one
// rounding per body.
constexpr double kRoundingsOfPull = 22;

struct Pull {
  double sum[3] = {};
  double magnitude[3] = {};
};

Pull pull_of_all(const std::vector<float>& bodies, std::size_t own) {
  Pull pull;
  for (std::size_t other = 0; other < bodies.size(); other += 4) {
    double distance[3], squared = double{kSoftening};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      distance[axis] = double{bodies[other + axis]} - bodies[own + axis];
      squared += distance[axis] * distance[axis];
    }
    const double strength = bodies[other + 3] / (squared * std::sqrt(squared));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      pull.sum[axis] += strength * distance[axis];
      pull.magnitude[axis] += std::fabs(strength * distance[axis]);
    }
  }
  return pull;
}

Expected accelerations(const Point&, const Words& input) {
  const std::vector<float> all = numbers_of(input);
  const std::size_t n = all.size() / 4;
  std::vector<float> result(4 * n), tolerance(4 * n);  // the fourth component is 0
  const double roundings = kRoundingsOfPull + static_cast<double>(n) + 1;
  parallel_for(n, 0, [&](std::size_t i) {
    const Pull pull = pull_of_all(all, 4 * i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      result[4 * i + axis] = static_cast<float>(pull.sum[axis]);
      tolerance[4 * i + axis] = static_cast<float>(roundings * kRounding * pull.magnitude[axis]);
    }
  });
  return {words_of(result), std::move(tolerance)};
}

// Per pair: 3 differences, 6 for the softened squared distance, a reciprocal root, 3 products, 6
// for the sums.
Work nbody_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 32 * n, .flops = 19 * n * n};
}

}  // namespace

const Reference& nbody_reference() {
  static const Reference reference = {"nbody", {"n"}, bodies, accelerations, nbody_work};
  return reference;
}

}  // namespace pnsim::gpu
