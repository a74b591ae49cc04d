#include <algorithm>
#include <cmath>

#include "gpu/references.h"
#include "gpu/table_shape.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

std::size_t table_axis(const Point& point, const char* axis) {
  return static_cast<std::size_t>(point.at(axis));
}

Words keys_of_axis(const Point& point, std::size_t count) {
  return make_keys(point.input, static_cast<std::uint32_t>(count));
}

Words looked_up_input(const Point& point) { return keys_of_axis(point, table_axis(point, "n")); }

Expected looked_up(const Point& point, const Words& input) {
  const auto mask = static_cast<std::uint32_t>(table_axis(point, "table") - 1);
  Words out = input;
  for (std::uint32_t& x : out) {
    for (unsigned k = 0; k < kLookUps; ++k) x = (x << 5 | x >> 27) ^ constant_word(x & mask);
  }
  return {std::move(out), {}};
}

Work look_up_work(const Point& point) {
  const auto n = static_cast<double>(table_axis(point, "n"));
  return {.elements = n, .bytes = 8 * n, .flops = 0};
}

Words picture(const Point& point) {
  return make_numbers(point.input, static_cast<std::uint32_t>(table_axis(point, "width") *
                                                              table_axis(point, "height")));
}

// One direction of the filter: pixel `at(i)` for i from -4 to 4.
template <class Pixel>
double filtered(const Pixel& at) {
  double sum = 0;
  for (int i = -kFilterRadius; i <= kFilterRadius; ++i)
    sum += double{kFilter[i + kFilterRadius]} * at(i);
  return sum;
}

std::size_t within(std::size_t place, int offset, std::size_t size) {
  const auto wanted = static_cast<std::int64_t>(place) + offset;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(size) - 1));
}

// Error bound: 9 products and 9 additions along each direction, of numbers up to 1 with weights
// that add up to 1.
Expected convolved(const Point& point, const Words& input) {
  const std::size_t width = table_axis(point, "width"), height = table_axis(point, "height");
  const std::vector<float> in = numbers_of(input);
  std::vector<double> rows(in.size());
  std::vector<float> result(in.size());
  parallel_for(height, 0, [&](std::size_t y) {
    for (std::size_t x = 0; x < width; ++x)
      rows[y * width + x] =
          filtered([&](int i) { return double{in[y * width + within(x, i, width)]}; });
  });
  parallel_for(height, 0, [&](std::size_t y) {
    for (std::size_t x = 0; x < width; ++x)
      result[y * width + x] = static_cast<float>(
          filtered([&](int i) { return rows[within(y, i, height) * width + x]; }));
  });
  constexpr double kRoundings = 2 * (9 + 9) + 1;
  return {words_of(result),
          std::vector<float>(in.size(), static_cast<float>(kRoundings * kRounding))};
}

Work convolution_work(const Point& point) {
  const auto pixels = static_cast<double>(table_axis(point, "width") * table_axis(point, "height"));
  return {.elements = pixels, .bytes = 8 * pixels, .flops = 36 * pixels};
}

// The sorted table, then the keys.
Words table_and_keys(const Point& point) {
  const std::size_t table = table_axis(point, "table");
  Words words = keys_of_axis(point, table + table_axis(point, "n"));
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(table));
  return words;
}

Expected places(const Point& point, const Words& input) {
  const auto end = input.begin() + static_cast<std::ptrdiff_t>(table_axis(point, "table"));
  Words out(table_axis(point, "n"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto place = std::lower_bound(input.begin(), end, end[static_cast<std::ptrdiff_t>(i)]);
    out[i] = static_cast<std::uint32_t>(place - input.begin());
  }
  return {std::move(out), {}};
}

Work search_work(const Point& point) {
  const auto n = static_cast<double>(table_axis(point, "n"));
  return {.elements = n,
          .bytes = 8 * n + 4 * static_cast<double>(table_axis(point, "table")),
          .flops = 0};
}

Expected prefix_sums(const Point&, const Words& input) {
  Words out(input.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < input.size(); ++i) out[i] = sum += input[i];
  return {std::move(out), {}};
}

Work prefix_work(const Point& point) {
  const auto n = static_cast<double>(table_axis(point, "n"));
  return {.elements = n, .bytes = 8 * n, .flops = 0};
}

// A directed graph in compressed rows: starts, then neighbours. A vertex has between 1 and
// 2 * degree - 1 neighbours.
Words graph(const Point& point) {
  const std::size_t vertices = table_axis(point, "vertices"), degree = table_axis(point, "degree");
  const Words choices = keys_of_axis(point, vertices);
  Words words(vertices + 1);
  for (std::size_t i = 0; i < vertices; ++i)
    words[i + 1] = words[i] + 1 + (choices[i] >> 8) % static_cast<std::uint32_t>(2 * degree - 1);
  const Words ends = keys_of_axis(point, words.back());
  for (const std::uint32_t end : ends)
    words.push_back(static_cast<std::uint32_t>((std::uint64_t{end} * vertices) >> 32));
  return words;
}

// The level of each vertex by breadth-first search from vertex 0, as far as the launches go.
Expected levels(const Point& point, const Words& input) {
  const std::size_t vertices = table_axis(point, "vertices");
  const std::uint32_t* const neighbours = input.data() + vertices + 1;
  Words level(vertices, 0xffffffffu);
  std::vector<std::uint32_t> reached{0};
  level[0] = 0;
  for (std::uint32_t step = 0; step < table_axis(point, "levels"); ++step) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t from : reached) {
      for (std::uint32_t edge = input[from]; edge < input[from + 1]; ++edge) {
        const std::uint32_t to = neighbours[edge];
        if (level[to] != 0xffffffffu) continue;
        level[to] = step + 1;
        next.push_back(to);
      }
    }
    reached = std::move(next);
  }
  return {std::move(level), {}};
}

Work graph_work(const Point& point) {
  const auto vertices = static_cast<double>(table_axis(point, "vertices")),
             degree = static_cast<double>(table_axis(point, "degree"));
  return {.elements = vertices, .bytes = 4 * vertices * (2 + degree), .flops = 0};
}

}  // namespace

const Reference& constant_table_reference() {
  static const Reference reference = {
      "constant_table", {"n", "table"}, looked_up_input, looked_up, look_up_work};
  return reference;
}

const Reference& convolution_reference() {
  static const Reference reference = {
      "convolution", {"width", "height"}, picture, convolved, convolution_work};
  return reference;
}

const Reference& search_reference() {
  static const Reference reference = {
      "search", {"n", "table"}, table_and_keys, places, search_work};
  return reference;
}

const Reference& prefix_sums_reference() {
  static const Reference reference = {
      "prefix_sums", {"n"}, looked_up_input, prefix_sums, prefix_work};
  return reference;
}

const Reference& bfs_reference() {
  static const Reference reference = {
      "bfs", {"vertices", "degree", "levels"}, graph, levels, graph_work};
  return reference;
}

}  // namespace pnsim::gpu
