#include <cmath>

#include "gpu/layer_norm_shape.h"
#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

std::size_t norm_rows(const Point& point) { return static_cast<std::size_t>(point.at("rows")); }
std::size_t norm_columns(const Point& point) {
  return static_cast<std::size_t>(point.at("columns"));
}

// The matrix, then a factor and a summand for each column.
Words rows_gains_shifts(const Point& point) {
  return make_numbers(point.input,
                      static_cast<std::uint32_t>((norm_rows(point) + 2) * norm_columns(point)));
}

struct Moments {
  double mean = 0, variance = 0, magnitude = 0;  // magnitude: the mean absolute number
};

Moments moments_of(const float* row, std::size_t columns) {
  Moments out;
  const auto n = static_cast<double>(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    out.mean += row[i] / n;
    out.magnitude += std::fabs(row[i]) / n;
  }
  for (std::size_t i = 0; i < columns; ++i)
    out.variance += (row[i] - out.mean) * (row[i] - out.mean) / n;
  return out;
}

// Error bound of one number, by first order, when at most n additions follow each other in a sum.
// The mean has n + 2 roundings of the mean absolute number, and a difference from the mean one
// more. The variance has n + 6 roundings, and the error of the mean, squared. Half of its relative
// error goes into the factor, with two units in the last place of the reciprocal root. Three
// operations follow.
double norm_bound(const Moments& row, double x, double gain, double result, double n) {
  const double of_mean = (n + 2) * kRounding * row.magnitude;
  const double of_difference = of_mean + kRounding * (std::fabs(x) + std::fabs(row.mean));
  const double variance = row.variance + double{kLeastVariance};
  const double of_variance =
      (n + 6) * kRounding +
      (of_difference * of_difference + 4 * kRounding * std::sqrt(row.variance)) / variance;
  const double factor = 1 / std::sqrt(variance);
  const double scaled = std::fabs((x - row.mean) * factor * gain);
  return std::fabs(gain) * factor * of_difference + scaled * (of_variance / 2 + 8 * kRounding) +
         2 * kRounding * std::fabs(result);
}

Expected normalised(const Point& point, const Words& input) {
  const std::size_t rows = norm_rows(point), columns = norm_columns(point);
  const std::vector<float> all = numbers_of(input);
  const float* const gain = all.data() + rows * columns;
  std::vector<float> result(rows * columns), tolerance(rows * columns);
  parallel_for(rows, 0, [&](std::size_t row) {
    const float* const x = all.data() + row * columns;
    const Moments moments = moments_of(x, columns);
    const double factor = 1 / std::sqrt(moments.variance + double{kLeastVariance});
    for (std::size_t i = 0; i < columns; ++i) {
      const double value = (x[i] - moments.mean) * factor * gain[i] + gain[columns + i];
      result[row * columns + i] = static_cast<float>(value);
      tolerance[row * columns + i] = static_cast<float>(
          norm_bound(moments, x[i], gain[i], value, static_cast<double>(columns)));
    }
  });
  return {words_of(result), std::move(tolerance)};
}

// All numbers as one row, without gains. A thread adds its numbers, then 10 steps of a block, and
// the parts of the blocks follow.
Expected standardised(const Point& point, const Words& input) {
  const auto blocks = static_cast<double>(point.at("blocks")),
             block = static_cast<double>(point.at("block"));
  const std::vector<float> all = numbers_of(input);
  const double additions =
      std::ceil(static_cast<double>(all.size()) / (blocks * block)) + 10 + blocks;
  const Moments moments = moments_of(all.data(), all.size());
  const double factor = 1 / std::sqrt(moments.variance + double{kLeastVariance});
  std::vector<float> result(all.size()), tolerance(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double value = (all[i] - moments.mean) * factor;
    result[i] = static_cast<float>(value);
    tolerance[i] = static_cast<float>(norm_bound(moments, all[i], 1, value, additions));
  }
  return {words_of(result), std::move(tolerance)};
}

Words plain_numbers(const Point& point) {
  return make_numbers(point.input, static_cast<std::uint32_t>(point.at("n")));
}

Work standardise_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 8 * n, .flops = 6 * n};
}

Work layer_norm_work(const Point& point) {
  const auto rows = static_cast<double>(norm_rows(point)),
             columns = static_cast<double>(norm_columns(point));
  return {.elements = rows * columns,
          .bytes = 8 * rows * columns + 8 * columns,
          .flops = 8 * rows * columns};
}

}  // namespace

const Reference& layer_norm_reference() {
  static const Reference reference = {
      "layer_norm", {"rows", "columns"}, rows_gains_shifts, normalised, layer_norm_work};
  return reference;
}

const Reference& standardise_reference() {
  static const Reference reference = {
      "standardise", {"n", "block", "blocks"}, plain_numbers, standardised, standardise_work};
  return reference;
}

}  // namespace pnsim::gpu
