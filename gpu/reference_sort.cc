#include <algorithm>

#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

Words keys(const Point& point) {
  return make_keys(point.input, static_cast<std::uint32_t>(point.at("n")));
}

Expected sorted(const Point&, const Words& input) {
  Words words = input;
  std::stable_sort(words.begin(), words.end());
  return {std::move(words), {}};
}

Work sort_work(const Point& point) {
  const auto n = static_cast<double>(point.at("n"));
  return {.elements = n, .bytes = 8 * n, .flops = 0};
}

}  // namespace

Words partition_by_bit(const Words& keys, unsigned bit) {
  Words target = keys;
  std::stable_partition(target.begin(), target.end(),
                        [bit](std::uint32_t key) { return ((key >> bit) & 1u) == 0; });
  return target;
}

// Both sorts share this name, because they share input and result.
const Reference& sort_reference() {
  static const Reference reference = {"sort", {"n"}, keys, sorted, sort_work};
  return reference;
}

const Reference& sort_by_passes_reference() {
  static const Reference reference = {"sort", {"n"}, keys, sorted, sort_work, partition_by_bit};
  return reference;
}

}  // namespace pnsim::gpu
