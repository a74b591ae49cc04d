// The programs that move words from one place to another, and the stencil, which does little else.
#include <algorithm>
#include <cmath>

#include "gpu/references.h"
#include "gpu/stencil_shape.h"

namespace pnsim::gpu {
namespace {

std::size_t extent(const Point& point, const char* axis) {
  return static_cast<std::size_t>(point.at(axis));
}

Words words_to_copy(const Point& point) {
  return make_keys(point.input, static_cast<std::uint32_t>(point.at("n")));
}

Expected copied(const Point&, const Words& input) { return {input, {}}; }

Work copy_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 8 * n, .flops = 0};
}

Words square(const Point& point) {
  return make_keys(point.input, static_cast<std::uint32_t>(point.at("n") * point.at("n")));
}

Expected turned(const Point& point, const Words& input) {
  const std::size_t n = extent(point, "n");
  Words words(n * n);
  for (std::size_t i = 0; i < n * n; ++i) words[i] = input[i % n * n + i / n];
  return {std::move(words), {}};
}

Work transpose_work(const Point& point) {
  const auto words = static_cast<double>(point.at("n") * point.at("n"));
  return {.elements = words, .bytes = 8 * words, .flops = 0};
}

// The input: n positions in the table, then the table.
Words places_and_table(const Point& point) {
  const auto n = static_cast<std::uint32_t>(point.at("n"));
  const auto table = static_cast<std::uint32_t>(point.at("table"));
  Words words = make_keys(point.input, n + table);
  for (std::uint32_t i = 0; i < n; ++i) words[i] %= table;
  return words;
}

Expected fetched(const Point& point, const Words& input) {
  const std::size_t n = extent(point, "n");
  Words words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = input[n + input[i]];
  return {std::move(words), {}};
}

// Each position is read and each word written once; at most the requested words of the table are
// read.
Work gather_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  const double table = std::min(n, static_cast<double>(point.at("table")));
  return {.elements = n, .bytes = 8 * n + 4 * table, .flops = 0};
}

Words cells(const Point& point) {
  return make_numbers(point.input,
                      static_cast<std::uint32_t>(point.at("width") * point.at("height")));
}

// The kernel rounds six times, each time by at most kRounding of the sum of absolute values.
constexpr double kStencilRoundings = 6;

Expected diffused(const Point& point, const Words& input) {
  const std::size_t width = extent(point, "width"), height = extent(point, "height");
  const std::vector<float> in = numbers_of(input);
  std::vector<float> out = in, tolerance(in.size());
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      double change = -4.0 * in[i], magnitude = 4 * std::fabs(in[i]);
      for (const std::size_t neighbour : {i - 1, i + 1, i - width, i + width}) {
        change += in[neighbour];
        magnitude += std::fabs(in[neighbour]);
      }
      out[i] = static_cast<float>(in[i] + double{kDiffusion} * change);
      tolerance[i] = static_cast<float>(kStencilRoundings * kRounding *
                                        (std::fabs(in[i]) + double{kDiffusion} * magnitude));
    }
  }
  return {words_of(out), std::move(tolerance)};
}

Work stencil_work(const Point& point) {
  const auto pixels = static_cast<double>(point.at("width") * point.at("height"));
  return {.elements = pixels, .bytes = 8 * pixels, .flops = 7 * pixels};
}

}  // namespace

const Reference& copy_reference() {
  static const Reference reference = {"copy", {"n"}, words_to_copy, copied, copy_work};
  return reference;
}

const Reference& transpose_reference() {
  static const Reference reference = {"transpose", {"n"}, square, turned, transpose_work};
  return reference;
}

const Reference& gather_reference() {
  static const Reference reference = {
      "gather", {"n", "table"}, places_and_table, fetched, gather_work};
  return reference;
}

const Reference& stencil_reference() {
  static const Reference reference = {
      "stencil", {"width", "height"}, cells, diffused, stencil_work};
  return reference;
}

}  // namespace pnsim::gpu
