// Shared by the two vector normalisations ("GPU Microarchitecture, Homework 1, 2024"). A grid with
// a fixed number of blocks loops over the vectors. kD is the vector length where it is a
// compile-time constant, and 0 where it is read at run time.
#pragma once

#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {

struct NormArgs {
  const float* in;  // [vectors][d]
  float* out;       // [vectors][d]
  unsigned vectors;
  unsigned d;
};

inline NormArgs norm_args(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned d = unsigned_of(axes, "d");
  return {reinterpret_cast<const float*>(buffers.source), reinterpret_cast<float*>(buffers.target),
          unsigned_of(axes, "n") / d, d};
}

// One of the program's kernels; group is 1 in a program without groups.
struct NormKernel {
  unsigned d;  // 0: any length
  unsigned group;
  const char* name;
  void (*function)(NormArgs);
};

// The kernel for this length if there is one and the axis fixed_d requests it.
template <std::size_t kSize>
const NormKernel& norm_kernel(const AxisValues& axes, unsigned group,
                              const NormKernel (&kernels)[kSize]) {
  const NormKernel* found = nullptr;
  for (const NormKernel& kernel : kernels) {
    if (kernel.group != group) continue;
    const bool is_made_for_d = value_of(axes, "fixed_d") == 1 && kernel.d == unsigned_of(axes, "d");
    if (is_made_for_d || (kernel.d == 0 && found == nullptr)) found = &kernel;
  }
  if (found == nullptr) throw Error(ExitCode::kInternal, "no kernel for this group");
  return *found;
}

inline std::vector<Launch> norm_launches(const AxisValues& axes, const PassBuffers& buffers,
                                         const NormKernel& kernel) {
  return {{kernel.name,
           reinterpret_cast<const void*>(kernel.function),
           {unsigned_of(axes, "blocks")},
           {unsigned_of(axes, "block")},
           0,
           norm_args(axes, buffers)}};
}

}  // namespace pnsim::gpu
