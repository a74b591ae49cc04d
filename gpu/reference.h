// What the programs get and must compute, on the host: plain loops and the standard library,
// nothing shared with the kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/point.h"

namespace pnsim::gpu {

using Words = std::vector<std::uint32_t>;  // keys, or the bits of floats

// What the output must be.
struct Expected {
  Words words;
  // Empty: `words` bit by bit. Else as long as `words`, which are then floats, and a found number
  // may be off by so much.
  std::vector<float> tolerance;
};

// Where an output differs.
struct Difference {
  std::uint64_t wrong_elements = 0;
  std::string first;  // "position 17: found 5, expected 3"
};
std::optional<Difference> difference(const Words& found, const Expected& expected);

// The least that a program can get by with at a point.
struct Work {
  double elements = 0;  // keys, pixels, elements of the result
  double bytes = 0;     // every input read once, every output written once
  double flops = 0;     // a multiply-add is two
};

// Programs that compute the same share one.
struct Reference {
  const char* name;
  std::vector<const char*> axes;  // those that input and result depend on
  Words (*input)(const Point& point);
  Expected (*result)(const Point& point, const Words& input);
  Work (*work)(const Point& point);
  // For a program of several passes: what pass `pass` makes of `before`. Null where only the end
  // can be compared.
  Words (*after_pass)(const Words& before, std::uint32_t pass) = nullptr;
};

}  // namespace pnsim::gpu
