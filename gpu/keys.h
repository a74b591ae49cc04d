// The input of a program: n keys in one of several layouts, and what else is made of keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim::gpu {

// How the n keys are laid out; key(i) depends on (distribution, seed, n, i) alone.
enum class Distribution {
  kUniform,      // random over all 32 bits, by counter: key i is a hash of (seed, i)
  kSorted,       // ascending, from 0 to 2^32 - 1
  kReversed,     // descending, from 2^32 - 1 to 0
  kConstant,     // all equal, with zeros and ones among the bits
  kAdversarial,  // whole nodes of zeros or ones beside nodes that alternate and that straddle 2^31
};

// In the order of the enum.
std::span<const Distribution> all_distributions();
std::string distribution_name(Distribution distribution);
Distribution parse_distribution(std::string_view name);  // error 2 with the nearest name

struct Input {
  Distribution distribution = Distribution::kUniform;
  std::uint64_t seed = 1;  // only kUniform draws from it

  bool operator==(const Input&) const = default;
};

// The keys, in the order in which the program gets them.
std::vector<std::uint32_t> make_keys(const Input& input, std::uint32_t n);

// What the key of an element is worth where the element is a number: the upper 24 bits of the key,
// spread evenly over [-1, 1). Exact: every value is a multiple of 2^-23.
float number_of_key(std::uint32_t key);

// The bits of number_of_key for each of n keys.
std::vector<std::uint32_t> make_numbers(const Input& input, std::uint32_t n);

}  // namespace pnsim::gpu
