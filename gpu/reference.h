// Inputs and expected results of the programs, computed on the host with plain loops and the
// standard library. It shares no code with the kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/point.h"

namespace pnsim::gpu {

using Words = std::vector<std::uint32_t>;  // keys, or the bits of floats

// The expected output.
struct Expected {
  Words words;
  // Empty: `words` must match bit by bit. Otherwise it has the length of `words`, which are floats,
  // and holds the accepted absolute error of each. An infinite one accepts any number: large
  // results are computed and compared in part.
  std::vector<float> tolerance;
  // Each two words are a double, with the tolerance of its first word.
  bool is_double = false;

  std::size_t numbers() const { return words.size() / (is_double ? 2 : 1); }
  std::uint64_t compared() const;  // the numbers without those that may be any
};

// The difference between an output and the expected output.
struct Difference {
  std::uint64_t wrong_elements = 0;
  std::string first;  // "position 17: found 5, expected 3"
};
std::optional<Difference> difference(const Words& found, const Expected& expected);

// The minimal work of a program at a point.
struct Work {
  double elements = 0;  // keys, pixels, elements of the result
  double bytes = 0;     // every input read once, every output written once
  double flops = 0;     // a multiply-add counts as two
};

// Programs with the same result share one reference.
struct Reference {
  const char* name;
  std::vector<const char*> axes;  // the axes that input and result depend on
  Words (*input)(const Point& point);
  Expected (*result)(const Point& point, const Words& input);
  Work (*work)(const Point& point);
  // For a program with several passes: the expected result of pass `pass` for the input `before`.
  // Null when only the final output can be compared.
  Words (*after_pass)(const Words& before, std::uint32_t pass) = nullptr;
};

}  // namespace pnsim::gpu
