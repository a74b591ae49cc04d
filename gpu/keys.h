// The input of a program: n keys in one of several distributions, and data derived from keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim::gpu {

// The distribution of the n keys; key(i) depends only on (distribution, seed, n, i).
enum class Distribution {
  kUniform,      // random over all 32 bits, counter-based: key i is a hash of (seed, i)
  kSorted,       // ascending, from 0 to 2^32 - 1
  kReversed,     // descending, from 2^32 - 1 to 0
  kConstant,     // all equal, with both zeros and ones among the bits
  kAdversarial,  // nodes of only zeros or ones, nodes that alternate, and nodes that straddle 2^31
};

// In the order of the enum.
std::span<const Distribution> all_distributions();
std::string distribution_name(Distribution distribution);
Distribution parse_distribution(std::string_view name);  // error 2 with the nearest name

struct Input {
  Distribution distribution = Distribution::kUniform;
  std::uint64_t seed = 1;  // only kUniform uses it

  bool operator==(const Input&) const = default;
};

// The keys, in the order in which the program receives them.
std::vector<std::uint32_t> make_keys(const Input& input, std::uint32_t n);

// The number that a key stands for: its upper 24 bits, spread evenly over [-1, 1). It is exact,
// because every value is a multiple of 2^-23.
float number_of_key(std::uint32_t key);

// The bits of number_of_key for each of n keys.
std::vector<std::uint32_t> make_numbers(const Input& input, std::uint32_t n);

}  // namespace pnsim::gpu
