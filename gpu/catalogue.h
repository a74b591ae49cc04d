// The programs that can be run on a GPU, one row each. Host only: no CUDA is needed to read it.
// A new program is one .cu in gpu/kernels and one row here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim::gpu {

struct Program {
  std::string name;
  std::string summary;           // what it does and what sets it apart, one sentence
  std::string source;            // the document it comes from
  std::vector<std::uint32_t> n;  // axis: problem sizes in keys, ascending
  std::vector<unsigned> block;   // axis: threads a block, ascending
  std::uint32_t default_n;
  unsigned default_block;
  std::uint32_t keys_per_thread;
  std::uint32_t passes;  // launches of the program repeat this often
};

// All programs, in the order in which they are reported.
std::span<const Program> catalogue();

// Error 2 with the nearest name when there is no such program.
const Program& find_program(std::string_view name);

std::vector<std::string> program_names();

}  // namespace pnsim::gpu
