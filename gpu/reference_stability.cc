// The reference does not integrate each pixel. A step of Euler's method on a linear equation is a
// multiplication by a fixed 2 x 2 matrix, so all steps together are one power of that matrix.
#include <cmath>

#include "gpu/references.h"
#include "gpu/stability_shape.h"

namespace pnsim::gpu {
namespace {

struct Matrix {
  double xx, xy, yx, yy;
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
          a.yx * b.xy + a.yy * b.yy};
}

// The matrix of all steps of x' = y, y' = -x - 2 c y.
Matrix all_steps(const Point& point) {
  const double h = static_cast<double>(point.at("time_step_milli")) / 1000;
  const double c = static_cast<double>(point.at("damping_milli")) / 1000;
  const Matrix step = {1, h, -h, 1 - 2 * c * h};
  Matrix power = {1, 0, 0, 1};
  const unsigned steps = euler_steps(point.axes);
  for (unsigned i = 0; i < steps; ++i) power = step * power;
  return power;
}

double squared(double x, double y) { return x * x + y * y; }

// Position or velocity of the i-th of `size` pixels: pixel centres, from -1 to 1.
double coordinate(std::size_t i, std::size_t size) {
  return (2 * static_cast<double>(i) + 1 - static_cast<double>(size)) / static_cast<double>(size);
}

// Error bound of the squared distance in single precision, relative to the initial one. A step
// rounds at most four times, each time by at most kRounding of the distance. The square doubles
// this, and the elliptic orbits of the oscillator at most double it again.
double uncertainty(const Point& point) { return 16.0 * (euler_steps(point.axes) + 4) * kRounding; }

// 1 where the distance grew, 0 where it did not. A pixel within the error bound is 0.5 +- 0.5.
Expected colours(const Point& point, const Words&) {
  const auto width = static_cast<std::size_t>(point.at("width"));
  const auto height = static_cast<std::size_t>(point.at("height"));
  const Matrix m = all_steps(point);
  const double band = uncertainty(point);
  std::vector<float> colour(width * height), tolerance(width * height);
  for (std::size_t i = 0; i < width * height; ++i) {
    const double x = coordinate(i % width, width), y = coordinate(i / width, height);
    const double first = squared(x, y);
    const double last = squared(m.xx * x + m.xy * y, m.yx * x + m.yy * y);
    const bool undecided = first > 0 && std::fabs(last / first - 1) <= band;
    colour[i] = undecided ? 0.5f : (last > first ? 1.0f : 0.0f);
    tolerance[i] = undecided ? 0.5f : 0.0f;
  }
  return {words_of(colour), std::move(tolerance)};
}

Words nothing(const Point&) { return {}; }  // pixels compute their own initial state

// Per step: two multiply-adds for position and velocity, and one product for the damping.
Work stability_work(const Point& point) {
  const auto pixels = static_cast<double>(point.at("width") * point.at("height"));
  return {.elements = pixels, .bytes = 4 * pixels, .flops = 6 * pixels * euler_steps(point.axes)};
}

}  // namespace

const Reference& stability_reference() {
  static const Reference reference = {
      "stability",
      {"width", "height", "time_step_milli", "final_time", "damping_milli"},
      nothing,
      colours,
      stability_work};
  return reference;
}

}  // namespace pnsim::gpu
