// What the host knows of a program's kernels: enough to run any pass of any program in the same
// way. Every .cu of this folder registers one program. C++17: nvcc reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pnsim::gpu {

// The one argument of every kernel. Device pointers; source and target do not overlap.
struct PassArgs {
  const std::uint32_t* source;  // source[i], i < n: the keys in the order of the pass before
  std::uint32_t* target;        // target[i], i < n: the keys in the order of this pass
  std::uint32_t* scratch;  // scratch[w], w < scratch_words(n, block); no meaning between passes
  std::uint32_t n;         // keys, at least 1
  std::uint32_t bit;       // the bit of this pass, 0 ... 31
  std::uint32_t blocks;    // grid of the pass's first launch: how many parts the input has
  std::uint32_t block;     // threads a block of that launch
};

// One launch of a pass.
struct Launch {
  const char* kernel;     // its name in a profile
  const void* function;   // the __global__ function; takes PassArgs
  unsigned grid;          // blocks
  unsigned block;         // threads a block
  unsigned shared_bytes;  // dynamic shared memory a block
};

// `block` is a power of two from 64 to 1024, n from 1 to kMaxKeys.
struct KernelProgram {
  const char* name;
  std::size_t (*scratch_words)(std::uint32_t n, unsigned block);
  std::vector<Launch> (*launches)(std::uint32_t n, unsigned block);  // of one pass, in order
};

// Called by each .cu before main starts; returns true so that a constant can be set from it.
bool register_program(const KernelProgram& program);

// All programs, sorted by name.
std::vector<KernelProgram> registered_programs();

}  // namespace pnsim::gpu
