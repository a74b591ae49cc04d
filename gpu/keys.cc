#include "gpu/keys.h"

#include <array>
#include <cstring>

#include "gpu/radix_shape.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::gpu {
namespace {

constexpr std::array kDistributions = {Distribution::kUniform, Distribution::kSorted,
                                       Distribution::kReversed, Distribution::kConstant,
                                       Distribution::kAdversarial};
constexpr std::uint32_t kHighest = 0xFFFFFFFFu;
constexpr std::uint32_t kConstantKey = 0xA5C3A5C3u;

// The finaliser of SplitMix64 applied to state i + 1 of its sequence: random access by i.
std::uint32_t uniform_key(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

// Evenly spaced from 0 to 2^32 - 1, so that every bit varies.
std::uint32_t sorted_key(std::uint32_t n, std::uint32_t i) {
  return n < 2 ? 0 : static_cast<std::uint32_t>(std::uint64_t{i} * kHighest / (n - 1));
}

// Four kinds of nodes in rotation: extreme values, ties, and maximally unequal shares of zeros and
// ones.
std::uint32_t adversarial_key(std::uint32_t i) {
  const std::uint32_t node = i / kKeysPerThread;
  const bool odd = i % 2 == 1;
  switch (node % 4) {
    case 0:
      return 0;
    case 1:
      return kHighest;
    case 2:
      return odd ? kHighest : 0;
    default:
      return odd ? 0x80000000u + node : 0x7FFFFFFFu - node;
  }
}

std::uint32_t key_at(const Input& input, std::uint32_t n, std::uint32_t i) {
  switch (input.distribution) {
    case Distribution::kUniform:
      return uniform_key(input.seed, i);
    case Distribution::kSorted:
      return sorted_key(n, i);
    case Distribution::kReversed:
      return sorted_key(n, n - 1 - i);
    case Distribution::kConstant:
      return kConstantKey;
    case Distribution::kAdversarial:
      return adversarial_key(i);
  }
  throw Error(ExitCode::kInternal, "a distribution without keys");
}

}  // namespace

std::span<const Distribution> all_distributions() { return kDistributions; }

std::string distribution_name(Distribution distribution) {
  switch (distribution) {
    case Distribution::kUniform:
      return "uniform";
    case Distribution::kSorted:
      return "sorted";
    case Distribution::kReversed:
      return "reversed";
    case Distribution::kConstant:
      return "constant";
    case Distribution::kAdversarial:
      return "adversarial";
  }
  throw Error(ExitCode::kInternal, "a distribution without a name");
}

Distribution parse_distribution(std::string_view name) {
  std::vector<std::string> names;
  for (Distribution distribution : kDistributions) {
    names.push_back(distribution_name(distribution));
    if (names.back() == name) return distribution;
  }
  fail_usage("unknown input distribution \"" + std::string(name) + "\"" + suggestion(name, names));
}

std::vector<std::uint32_t> make_keys(const Input& input, std::uint32_t n) {
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t i = 0; i < n; ++i) keys[i] = key_at(input, n, i);
  return keys;
}

float number_of_key(std::uint32_t key) { return static_cast<float>(key >> 8) * 0x1p-23f - 1.0f; }

std::vector<std::uint32_t> make_numbers(const Input& input, std::uint32_t n) {
  std::vector<std::uint32_t> words = make_keys(input, n);
  for (std::uint32_t& word : words) {
    const float number = number_of_key(word);
    std::memcpy(&word, &number, sizeof(word));
  }
  return words;
}

}  // namespace pnsim::gpu
