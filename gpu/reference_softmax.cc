#include <algorithm>
#include <cmath>

#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

Words matrix_of_rows(const Point& point) {
  return make_numbers(point.input,
                      static_cast<std::uint32_t>(point.at("rows") * point.at("columns")));
}

// Relative error bound of a result in roundings, besides one per column for the sum. A difference
// of magnitude up to 2 is rounded once, which gives 2 in its exponential. The exponential has 2
// units in the last place, which are 4 roundings. The sum has the same again; the division and the
// expected value add one each.
constexpr double kSoftmaxRoundings = 14;

Expected shares(const Point& point, const Words& input) {
  const auto columns = static_cast<std::size_t>(point.at("columns"));
  const std::vector<float> in = numbers_of(input);
  std::vector<float> out(in.size()), tolerance(in.size());
  const double roundings = kSoftmaxRoundings + static_cast<double>(columns);
  for (std::size_t first = 0; first < in.size(); first += columns) {
    const auto row = in.begin() + static_cast<std::ptrdiff_t>(first);
    const double largest = *std::max_element(row, row + static_cast<std::ptrdiff_t>(columns));
    double sum = 0;
    for (std::size_t i = first; i < first + columns; ++i) sum += std::exp(in[i] - largest);
    for (std::size_t i = first; i < first + columns; ++i) {
      const double share = std::exp(in[i] - largest) / sum;
      out[i] = static_cast<float>(share);
      tolerance[i] = static_cast<float>(roundings * kRounding * share);
    }
  }
  return {words_of(out), std::move(tolerance)};
}

// Work per number: comparison, difference, exponential, addition, division.
Work softmax_work(const Point& point) {
  const auto numbers = static_cast<double>(point.at("rows") * point.at("columns"));
  return {.elements = numbers, .bytes = 8 * numbers, .flops = 5 * numbers};
}

}  // namespace

const Reference& softmax_reference() {
  static const Reference reference = {
      "softmax", {"rows", "columns"}, matrix_of_rows, shares, softmax_work};
  return reference;
}

}  // namespace pnsim::gpu
