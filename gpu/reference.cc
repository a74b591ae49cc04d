#include "gpu/reference.h"

#include <algorithm>

namespace pnsim::gpu {

std::vector<std::uint32_t> partition_by_bit(const std::vector<std::uint32_t>& keys, unsigned bit) {
  std::vector<std::uint32_t> target = keys;
  std::stable_partition(target.begin(), target.end(),
                        [bit](std::uint32_t key) { return ((key >> bit) & 1u) == 0; });
  return target;
}

std::vector<std::uint32_t> stable_sorted(std::vector<std::uint32_t> keys) {
  std::stable_sort(keys.begin(), keys.end());
  return keys;
}

std::optional<Difference> difference(const std::vector<std::uint32_t>& found,
                                     const std::vector<std::uint32_t>& expected) {
  if (found.size() != expected.size()) {
    return Difference{std::max(found.size(), expected.size()),
                      "found " + std::to_string(found.size()) + " keys, expected " +
                          std::to_string(expected.size())};
  }
  Difference difference;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    if (difference.wrong_keys++ == 0) {
      difference.first = "position " + std::to_string(i) + ": found " + std::to_string(found[i]) +
                         ", expected " + std::to_string(expected[i]);
    }
  }
  if (difference.wrong_keys == 0) return std::nullopt;
  return difference;
}

const PreparedInput& InputCache::get(const Input& input, std::uint32_t n) {
  if (!prepared_ || input_ != input || n_ != n) {
    std::vector<std::uint32_t> keys = make_keys(input, n);
    std::vector<std::uint32_t> sorted = stable_sorted(keys);
    prepared_ = PreparedInput{std::move(keys), std::move(sorted)};
    input_ = input;
    n_ = n;
  }
  return *prepared_;
}

}  // namespace pnsim::gpu
