// A program of the catalogue: its axes, its source and its reference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/reference.h"

namespace pnsim::gpu {

// One axis of a program. Everything is a whole number: fractions are axes in thousandths.
struct ProgramAxis {
  std::string name;
  std::string meaning;               // what it is, with its unit: "threads a block"
  std::vector<std::int64_t> values;  // walked unless others are asked for, ascending
  std::int64_t default_value;
  std::int64_t least, most;  // every value from least to most is taken ...
  bool only_listed = false;  // ... or only `values`

  bool takes(std::int64_t value) const;
  std::string range_text() const;  // "1 to 4096", "one of 8, 16, 32"
};

enum class Runner {
  kKernels,  // own kernels: measured, and profiled into a kernel model
  kLibrary,  // a library's kernels, as a yardstick: measured only
  kHost,     // one thread of the CPU: measured only
};

struct Program {
  std::string name;
  std::string summary;            // what it does and what sets it apart, one sentence
  std::string source;             // the document it comes from
  std::vector<ProgramAxis> axes;  // the size first
  const Reference* reference;     // its input, and what it must compute
  std::uint32_t passes = 1;       // launches of the program repeat this often
  Runner runner = Runner::kKernels;
  // Sizes that divide by no block, over the default values: the three smallest odd ones, then some
  // that fill several blocks and leave one in part.
  std::vector<std::map<std::string, std::int64_t>> odd_sizes = {};

  const ProgramAxis* find_axis(std::string_view axis) const;  // nullptr when it has none
};

}  // namespace pnsim::gpu
