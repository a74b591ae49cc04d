// What the kernels must compute, on the host and by the standard library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/point.h"

namespace pnsim::gpu {

// One pass: keys with the bit clear first, then those with it set, each in their old order.
std::vector<std::uint32_t> partition_by_bit(const std::vector<std::uint32_t>& keys, unsigned bit);

std::vector<std::uint32_t> stable_sorted(std::vector<std::uint32_t> keys);

// Where two key arrays differ.
struct Difference {
  std::uint64_t wrong_keys = 0;
  std::string first;  // "position 17: found 5, expected 3"
};
std::optional<Difference> difference(const std::vector<std::uint32_t>& found,
                                     const std::vector<std::uint32_t>& expected);

struct PreparedInput {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> sorted;
};

// Keeps the input used last: points that differ only in program or block share one host sort.
class InputCache {
 public:
  const PreparedInput& get(const Input& input, std::uint32_t n);

 private:
  Input input_;
  std::uint32_t n_ = 0;
  std::optional<PreparedInput> prepared_;
};

}  // namespace pnsim::gpu
