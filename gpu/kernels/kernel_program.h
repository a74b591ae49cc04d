// The host's description of a program's kernels, which suffices to run any pass of any program.
// Every .cu file of this folder registers one program. C++17, because nvcc compiles it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gpu/axis_values.h"

struct CUstream_st;  // the type that cudaStream_t points to

namespace pnsim::gpu {

using TextureHandle = unsigned long long;  // cudaTextureObject_t

// The data of a pass: device pointers to 32-bit words. source and target do not overlap.
struct PassBuffers {
  const std::uint32_t* source = nullptr;  // the input, or the target of the pass before; read-only
  std::uint32_t* target = nullptr;
  std::uint32_t* scratch = nullptr;  // scratch_words(axes) words; undefined between passes
  // For a program with textures: source and scratch as linear textures of words.
  TextureHandle source_texture = 0;
  TextureHandle scratch_texture = 0;
  std::uint32_t pass = 0;
};

struct Extent {
  unsigned x = 1;
  unsigned y = 1;

  unsigned count() const { return x * y; }
};

// The single argument of a kernel: a struct, passed by value.
class Arguments {
 public:
  template <class T>
  Arguments(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= kBytes, "");
    std::memcpy(bytes_, &value, sizeof(T));
  }
  void* data() { return bytes_; }

 private:
  static constexpr std::size_t kBytes = 384;  // two tensor maps, and what goes with them
  alignas(64) unsigned char bytes_[kBytes] = {};
};

// One kernel launch of a pass.
struct Launch {
  const char* kernel;     // its name in a profile
  const void* function;   // the __global__ function
  Extent grid;            // blocks
  Extent block;           // threads per block
  unsigned shared_bytes;  // dynamic shared memory per block
  Arguments arguments;
  bool is_cooperative = false;  // all blocks are resident at once: they may wait for each other
};

// All functions require the axes of a checked point.
struct KernelProgram {
  const char* name;
  std::size_t (*scratch_words)(const AxisValues& axes);
  // The launches of one pass, in order. Without buffers they have their shapes but cannot be run.
  std::vector<Launch> (*launches)(const AxisValues& axes, const PassBuffers& buffers);
  bool has_textures = false;
  // For a library that launches its own kernels: enqueues a pass into the stream. It replaces
  // `launches`.
  void (*enqueue)(const AxisValues& axes, const PassBuffers& buffers,
                  CUstream_st* stream) = nullptr;
};

// For programs without scratch memory.
inline std::size_t no_scratch(const AxisValues&) { return 0; }

// Each .cu file calls it before main starts. It returns true so that it can initialise a constant.
bool register_program(const KernelProgram& program);

// All programs, sorted by name.
std::vector<KernelProgram> registered_programs();

}  // namespace pnsim::gpu
