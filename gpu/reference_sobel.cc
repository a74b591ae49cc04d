#include "gpu/references.h"
#include "gpu/sobel_shape.h"

namespace pnsim::gpu {
namespace {

constexpr int kAcross[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};

// One word per pixel, row by row: the upper 8 bits of its key.
Words image(const Point& point) {
  const auto pixels = static_cast<std::uint32_t>(point.at("width") * point.at("height"));
  Words words = make_keys(point.input, pixels);
  for (std::uint32_t& word : words) word >>= 24;
  return words;
}

bool is_edge(const Words& image, std::size_t width, std::size_t x, std::size_t y) {
  int across = 0, down = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const auto pixel = static_cast<int>(image[(y + row - 1) * width + x + column - 1]);
      across += kAcross[row][column] * pixel;
      down += kAcross[column][row] * pixel;
    }
  }
  return across * across + down * down > kSobelThreshold * kSobelThreshold;
}

// Border pixels lack neighbours and are no edges. All arithmetic is on integers, so it is exact.
Expected edges(const Point& point, const Words& image) {
  const auto width = static_cast<std::size_t>(point.at("width"));
  const auto height = static_cast<std::size_t>(point.at("height"));
  Words words(width * height, 0);
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      if (is_edge(image, width, x, y)) words[y * width + x] = kEdge;
    }
  }
  return {std::move(words), {}};
}

Work sobel_work(const Point& point) {
  const auto pixels = static_cast<double>(point.at("width") * point.at("height"));
  return {.elements = pixels, .bytes = 8 * pixels, .flops = 0};
}

}  // namespace

const Reference& sobel_reference() {
  static const Reference reference = {"sobel", {"width", "height"}, image, edges, sobel_work};
  return reference;
}

}  // namespace pnsim::gpu
