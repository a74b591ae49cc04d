// What the host knows of a program's kernels: enough to run any pass of any program in the same
// way. Every .cu of this folder registers one program. C++17: nvcc reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gpu/axis_values.h"

struct CUstream_st;  // cudaStream_t points to one

namespace pnsim::gpu {

using TextureHandle = unsigned long long;  // cudaTextureObject_t

// What a pass works on: device pointers to 32-bit words. source and target do not overlap.
struct PassBuffers {
  const std::uint32_t* source =
      nullptr;  // the input, or the target of the pass before; not written
  std::uint32_t* target = nullptr;
  std::uint32_t* scratch = nullptr;  // scratch_words(axes) words; no meaning between passes
  // Of a program with textures: source and scratch as textures of words, fetched by index.
  TextureHandle source_texture = 0;
  TextureHandle scratch_texture = 0;
  std::uint32_t pass = 0;
};

struct Extent {
  unsigned x = 1;
  unsigned y = 1;

  unsigned count() const { return x * y; }
};

// The one argument of a kernel, a struct of its own, by value.
class Arguments {
 public:
  template <class T>
  Arguments(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= kBytes, "");
    std::memcpy(bytes_, &value, sizeof(T));
  }
  void* data() { return bytes_; }

 private:
  static constexpr std::size_t kBytes = 96;
  alignas(16) unsigned char bytes_[kBytes] = {};
};

// One launch of a pass.
struct Launch {
  const char* kernel;     // its name in a profile
  const void* function;   // the __global__ function
  Extent grid;            // blocks
  Extent block;           // threads a block
  unsigned shared_bytes;  // dynamic shared memory a block
  Arguments arguments;
};

// The axes are those of a checked point.
struct KernelProgram {
  const char* name;
  std::size_t (*scratch_words)(const AxisValues& axes);
  // The launches of one pass, in order. Without buffers they have their shape, but cannot be run.
  std::vector<Launch> (*launches)(const AxisValues& axes, const PassBuffers& buffers);
  bool has_textures = false;
  // Instead of launches, for a library that launches its own kernels: puts a pass into the stream.
  void (*enqueue)(const AxisValues& axes, const PassBuffers& buffers,
                  CUstream_st* stream) = nullptr;
};

// For programs that need no scratch memory.
inline std::size_t no_scratch(const AxisValues&) { return 0; }

// Called by each .cu before main starts; returns true so that a constant can be set from it.
bool register_program(const KernelProgram& program);

// All programs, sorted by name.
std::vector<KernelProgram> registered_programs();

}  // namespace pnsim::gpu
