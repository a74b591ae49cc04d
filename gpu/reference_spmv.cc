#include <cmath>

#include "gpu/references.h"
#include "gpu/spmv_shape.h"

namespace pnsim::gpu {
namespace {

std::uint32_t number_bits(std::uint32_t key) { return words_of({number_of_key(key)})[0]; }

// Entries per row. Uneven rows come in pairs with opposite deviation, so that the total is known:
// rows have 1 to 2 entries_a_row - 1 entries, with equal probability.
Words lengths_of_rows(const Point& point, const Words& keys) {
  const auto rows = static_cast<std::size_t>(point.at("rows"));
  const auto mean = static_cast<std::uint32_t>(point.at("entries"));
  Words lengths(rows, mean);
  if (point.at("uneven") == 0) return lengths;
  for (std::size_t row = 0; row + 1 < rows; row += 2) {
    const std::uint32_t deviation = keys[row] % mean;
    const std::size_t longer = row + keys[row + 1] % 2;
    lengths[row] -= deviation;
    lengths[row + 1] -= deviation;
    lengths[longer] += 2 * deviation;
  }
  return lengths;
}

// Columns are random; one column may appear twice in a row.
Words sparse_matrix_and_vector(const Point& point) {
  const SpmvShape shape = spmv_shape(point.axes);
  Words words = make_keys(point.input, static_cast<std::uint32_t>(shape.words()));
  const Words lengths = lengths_of_rows(point, words);
  words[0] = 0;
  for (std::size_t row = 0; row < shape.rows; ++row) words[row + 1] = words[row] + lengths[row];
  for (std::size_t i = shape.columns_at(); i < shape.values_at(); ++i) {
    words[i] %= static_cast<std::uint32_t>(shape.rows);
  }
  for (std::size_t i = shape.values_at(); i < words.size(); ++i) words[i] = number_bits(words[i]);
  return words;
}

// Error bound as for a dense product: n + 2 roundings of the sum of the absolute products of a row
// with n entries.
Expected sparse_product(const Point& point, const Words& input) {
  const SpmvShape shape = spmv_shape(point.axes);
  const std::vector<float> numbers = numbers_of(input);
  const float* const values = numbers.data() + shape.values_at();
  const float* const vector = numbers.data() + shape.vector_at();
  std::vector<float> result(shape.rows), tolerance(shape.rows);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    double sum = 0, magnitude = 0;
    for (std::size_t i = input[row]; i < input[row + 1]; ++i) {
      const double product = double{values[i]} * vector[input[shape.columns_at() + i]];
      sum += product;
      magnitude += std::fabs(product);
    }
    const double roundings = input[row + 1] - input[row] + 2.0;
    result[row] = static_cast<float>(sum);
    tolerance[row] = static_cast<float>(roundings * kRounding * magnitude);
  }
  return {words_of(result), std::move(tolerance)};
}

Work spmv_work(const Point& point) {
  const SpmvShape shape = spmv_shape(point.axes);
  const auto rows = static_cast<double>(shape.rows);
  return {.elements = rows,
          .bytes = 4 * (static_cast<double>(shape.words()) + rows),
          .flops = 2 * static_cast<double>(shape.entries)};
}

}  // namespace

const Reference& spmv_reference() {
  static const Reference reference = {
      "spmv", {"rows", "entries", "uneven"}, sparse_matrix_and_vector, sparse_product, spmv_work};
  return reference;
}

}  // namespace pnsim::gpu
