// A program of the catalogue: its axes, its source and its reference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/reference.h"

namespace pnsim::gpu {

// One axis of a program. All values are integers; a fraction is given in thousandths.
struct ProgramAxis {
  std::string name;
  std::string meaning;               // what the axis is, with its unit: "threads per block"
  std::vector<std::int64_t> values;  // default values of a sweep, ascending
  std::int64_t default_value;
  std::int64_t least, most;  // every value from least to most is valid ...
  bool only_listed = false;  // ... or only `values`

  bool takes(std::int64_t value) const;
  std::string range_text() const;  // "1 to 4096", "one of 8, 16, 32"
};

enum class Runner {
  kKernels,  // the project's own kernels: measured, and profiled for a kernel model
  kLibrary,  // kernels of a library, as a baseline: measured only
  kHost,     // one thread of the CPU, as a baseline: measured only
};

struct Program {
  std::string name;
  // What the program does and how it differs from similar ones, in one sentence.
  std::string summary;
  std::string source;             // the document that it is taken from
  std::vector<ProgramAxis> axes;  // the problem size comes first
  const Reference* reference;     // its input and its expected result
  std::uint32_t passes = 1;       // number of repetitions of the program's launches
  Runner runner = Runner::kKernels;
  // Problem sizes that are no multiple of any block size, as changes to the default values: the
  // three smallest odd sizes, then sizes that fill several blocks and leave one partially filled.
  std::vector<std::map<std::string, std::int64_t>> odd_sizes = {};
  // The compute capability that its kernels need (90: 9.0); 0: any. Some code runs on one only.
  int capability = 0;
  bool only_this_capability = false;

  const ProgramAxis* find_axis(std::string_view axis) const;  // nullptr when it has none
};

}  // namespace pnsim::gpu
