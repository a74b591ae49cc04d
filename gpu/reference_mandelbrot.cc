// Near the border of the set the number of iterations depends on the last bit. So the reference
// uses the kernel's explicit fused multiply-adds and rounds at the same places, and the result is
// exact.
#include <cmath>

#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

Words no_input(const Point&) { return {}; }

std::uint32_t steps_to_leave(float c_x, float c_y, std::uint32_t most) {
  float x = 0, y = 0;
  for (std::uint32_t step = 0; step < most; ++step) {
    if (std::fma(x, x, y * y) > 4.0f) return step;
    const float next = std::fma(x, x, std::fma(-y, y, c_x));
    y = std::fma(2.0f * x, y, c_y);
    x = next;
  }
  return most;
}

Expected steps_of_pixels(const Point& point, const Words&) {
  const auto width = static_cast<std::size_t>(point.at("width"));
  const auto height = static_cast<std::size_t>(point.at("height"));
  const auto most = static_cast<std::uint32_t>(point.at("most_steps"));
  const float across = 2.5f / static_cast<float>(width), down = 2.5f / static_cast<float>(height);
  Words steps(width * height);
  parallel_for(height, 0, [&](std::size_t y) {
    const float c_y = std::fma(static_cast<float>(y), down, -1.25f);
    for (std::size_t x = 0; x < width; ++x) {
      const float c_x = std::fma(static_cast<float>(x), across, -2.0f);
      steps[y * width + x] = steps_to_leave(c_x, c_y, most);
    }
  });
  return {std::move(steps), {}};
}

// The number of iterations depends on the data. The minimum is one per pixel: three multiply-adds,
// two products, and one more multiply-add for the escape test.
Work mandelbrot_work(const Point& point) {
  const auto pixels = static_cast<double>(point.at("width") * point.at("height"));
  return {.elements = pixels, .bytes = 4 * pixels, .flops = 10 * pixels};
}

}  // namespace

const Reference& mandelbrot_reference() {
  static const Reference reference = {
      "mandelbrot", {"width", "height", "most_steps"}, no_input, steps_of_pixels, mandelbrot_work};
  return reference;
}

}  // namespace pnsim::gpu
