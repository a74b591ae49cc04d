// The programs whose blocks each process a part of the input. The result depends on the number of
// words per part, and therefore on the block size.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/block_shape.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

std::uint32_t words_in(const Point& point) { return static_cast<std::uint32_t>(point.at("n")); }

Words keys_of_parts(const Point& point) { return make_keys(point.input, words_in(point)); }

Words numbers_of_parts(const Point& point) { return make_numbers(point.input, words_in(point)); }

// Calls job(first, end) for each part of the input; the last one may be shorter.
template <class Job>
void for_each_part(const Point& point, unsigned words_a_thread, Job job) {
  const auto n = static_cast<std::size_t>(point.at("n"));
  const std::size_t part = static_cast<std::size_t>(point.at("block")) * words_a_thread;
  for (std::size_t first = 0; first < n; first += part) job(first, std::min(n, first + part));
}

// Error bound: a sum of d numbers in single precision, in any order, is within d - 1 roundings of
// the sum of the absolute numbers. One more rounding is that of the expected value.
Expected sums_of_parts(const Point& point, const Words& input) {
  const std::vector<float> in = numbers_of(input);
  std::vector<float> sums, tolerance;
  for_each_part(point, kSummandsPerThread, [&](std::size_t first, std::size_t end) {
    double sum = 0, magnitude = 0;
    for (std::size_t i = first; i < end; ++i) {
      sum += in[i];
      magnitude += std::fabs(in[i]);
    }
    sums.push_back(static_cast<float>(sum));
    tolerance.push_back(
        static_cast<float>(static_cast<double>(end - first) * kRounding * magnitude));
  });
  return {words_of(sums), std::move(tolerance)};
}

Work reduction_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  const double part = static_cast<double>(point.at("block")) * kSummandsPerThread;
  return {.elements = n, .bytes = 4 * n + 4 * std::ceil(n / part), .flops = n};
}

Expected scans_of_parts(const Point& point, const Words& input) {
  Words words(input.size());
  const auto at = [](auto begin, std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
  for_each_part(point, 1, [&](std::size_t first, std::size_t end) {
    std::partial_sum(at(input.begin(), first), at(input.begin(), end), at(words.begin(), first));
  });
  return {std::move(words), {}};
}

Expected sorted_parts(const Point& point, const Words& input) {
  Words words = input;
  for_each_part(point, kSortedPerThread, [&](std::size_t first, std::size_t end) {
    std::sort(words.begin() + static_cast<std::ptrdiff_t>(first),
              words.begin() + static_cast<std::ptrdiff_t>(end));
  });
  return {std::move(words), {}};
}

// Work of the scan and the sort: every word is read once and written once.
Work parts_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 8 * n, .flops = 0};
}

Expected counts_of_bins(const Point& point, const Words& keys) {
  Words counts(static_cast<std::size_t>(point.at("bins")), 0);
  for (const std::uint32_t key : keys) ++counts[key % counts.size()];
  return {std::move(counts), {}};
}

Work histogram_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 4 * n + 4 * static_cast<double>(point.at("bins")), .flops = 0};
}

}  // namespace

const Reference& block_reduction_reference() {
  static const Reference reference = {
      "block_reduction", {"n", "block"}, numbers_of_parts, sums_of_parts, reduction_work};
  return reference;
}

const Reference& block_scan_reference() {
  static const Reference reference = {
      "block_scan", {"n", "block"}, keys_of_parts, scans_of_parts, parts_work};
  return reference;
}

const Reference& block_sort_reference() {
  static const Reference reference = {
      "block_sort", {"n", "block"}, keys_of_parts, sorted_parts, parts_work};
  return reference;
}

const Reference& histogram_reference() {
  static const Reference reference = {
      "histogram", {"n", "bins"}, keys_of_parts, counts_of_bins, histogram_work};
  return reference;
}

}  // namespace pnsim::gpu
