#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/attention_shape.h"
#include "gpu/half_bits.h"
#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

struct AttentionSizes {
  std::size_t heads, sequence, d;
  bool is_causal;

  std::size_t rows() const { return attention_rows(sequence); }
  std::size_t matrix() const { return heads * rows() * d; }  // elements of Q, of K, of V
};

AttentionSizes attention_sizes(const Point& point) {
  return {static_cast<std::size_t>(point.at("heads")),
          static_cast<std::size_t>(point.at("sequence")), static_cast<std::size_t>(point.at("d")),
          point.at("causal") != 0};
}

// Q, K and V: 64ths from -1/2 to 31/64, two halves a word; zeros in rows beyond the sequence.
Words queries_keys_values(const Point& point) {
  const AttentionSizes sizes = attention_sizes(point);
  const std::size_t words_of_row = sizes.d / 2, rows = 3 * sizes.heads * sizes.rows();
  Words words = make_keys(point.input, static_cast<std::uint32_t>(rows * words_of_row));
  parallel_for(rows, 0, [&](std::size_t row) {
    const bool is_filled = row % sizes.rows() < sizes.sequence;
    for (std::size_t i = row * words_of_row; i < (row + 1) * words_of_row; ++i) {
      const int low = static_cast<int>(words[i] >> 8 & 63u) - 32;
      const int high = static_cast<int>(words[i] >> 20 & 63u) - 32;
      words[i] = is_filled ? half_of_64ths(low) | std::uint32_t{half_of_64ths(high)} << 16 : 0;
    }
  });
  return words;
}

// The elements in 64ths.
std::vector<short> sixty_fourths(const Words& input) {
  std::vector<short> out(2 * input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    out[2 * i] = static_cast<short>(whole_64ths(static_cast<std::uint16_t>(input[i])));
    out[2 * i + 1] = static_cast<short>(whole_64ths(static_cast<std::uint16_t>(input[i] >> 16)));
  }
  return out;
}

// The result of one query: the weighted values, and the weighted absolute values.
struct Attended {
  std::vector<double> sum, magnitude;
  double weight = 0;  // relative to the largest
};

Attended attend_to(const AttentionSizes& sizes, const short* q, const short* k, const short* v,
                   std::size_t keys) {
  std::vector<double> scores(keys);
  for (std::size_t key = 0; key < keys; ++key) {
    int dot = 0;
    for (std::size_t i = 0; i < sizes.d; ++i) dot += q[i] * k[key * sizes.d + i];
    scores[key] = dot / 4096.0 / std::sqrt(static_cast<double>(sizes.d));
  }
  const double most = *std::max_element(scores.begin(), scores.end());
  Attended out{std::vector<double>(sizes.d), std::vector<double>(sizes.d)};
  for (std::size_t key = 0; key < keys; ++key) {
    const double weight = std::exp(scores[key] - most);
    out.weight += weight;
    for (std::size_t i = 0; i < sizes.d; ++i) {
      const double value = v[key * sizes.d + i] / 64.0;
      out.sum[i] += weight * value;
      out.magnitude[i] += weight * std::fabs(value);
    }
  }
  return out;
}

// Error bound, relative to the weighted absolute values: a weight is rounded to a half (2^-11), its
// exponent and exponential have less than 2^-18, and the sums of weights and of values have two
// roundings a key, since tensor cores may truncate. Weights below 2^-14 lose up to 2^-25 each.
float attention_bound(const Attended& one, std::size_t i, std::size_t keys) {
  constexpr double kOfWeight = 0x1p-11 + 0x1p-18, kSmallest = 0x1p-25;
  const double relative = kOfWeight + 4 * kRounding * static_cast<double>(keys + 64);
  return static_cast<float>((relative * one.magnitude[i] + kSmallest * static_cast<double>(keys)) /
                            one.weight);
}

// Queries of each head that are computed and compared, spread evenly.
std::size_t query_step(const AttentionSizes& sizes) {
  constexpr std::size_t kMostProducts = std::size_t{1} << 27;
  const std::size_t of_query = std::max<std::size_t>(2 * sizes.heads * sizes.sequence * sizes.d, 1);
  const std::size_t queries = std::max<std::size_t>(kMostProducts / of_query, 1);
  return (sizes.sequence + queries - 1) / queries;
}

Expected attended(const Point& point, const Words& input) {
  const AttentionSizes sizes = attention_sizes(point);
  const std::vector<short> all = sixty_fourths(input);
  const std::size_t numbers = sizes.heads * sizes.sequence * sizes.d, step = query_step(sizes);
  std::vector<float> result(numbers);
  std::vector<float> tolerance(numbers, std::numeric_limits<float>::infinity());
  const std::size_t queries = (sizes.sequence + step - 1) / step;
  parallel_for(sizes.heads * queries, 0, [&](std::size_t job) {
    const std::size_t head = job / queries, query = job % queries * step;
    const std::size_t keys = sizes.is_causal ? query + 1 : sizes.sequence;
    const short* const q = all.data() + head * sizes.rows() * sizes.d;
    const Attended one =
        attend_to(sizes, q + query * sizes.d, q + sizes.matrix(), q + 2 * sizes.matrix(), keys);
    const std::size_t at = (head * sizes.sequence + query) * sizes.d;
    for (std::size_t i = 0; i < sizes.d; ++i) {
      result[at + i] = static_cast<float>(one.sum[i] / one.weight);
      tolerance[at + i] = attention_bound(one, i, keys);
    }
  });
  return {words_of(result), std::move(tolerance)};
}

Work attention_work(const Point& point) {
  const AttentionSizes sizes = attention_sizes(point);
  const auto heads = static_cast<double>(sizes.heads), n = static_cast<double>(sizes.sequence),
             d = static_cast<double>(sizes.d);
  const double pairs = sizes.is_causal ? n * (n + 1) / 2 : n * n;
  return {.elements = heads * n * d,
          .bytes = heads * n * d * (3 * 2 + 4),
          .flops = 4 * heads * pairs * d};
}

}  // namespace

const Reference& attention_reference() {
  static const Reference reference = {"attention",
                                      {"sequence", "heads", "d", "causal"},
                                      queries_keys_values,
                                      attended,
                                      attention_work};
  return reference;
}

}  // namespace pnsim::gpu
