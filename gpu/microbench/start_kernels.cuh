// Kernels that start and end: the launch cost besides the work. This file has no constants: kernels
// of a module with constants start later (constants.cu).
#pragma once

#include <cstdint>

namespace pnsim::gpu {
namespace {

// Each thread computes its index, then accesses memory. `in` holds zeros. `never` is neither 0 nor
// an index, so a store that depends on it never executes, which the compiler cannot know.
enum class Touch { kNothing, kIndex, kLoad, kTwoLoads, kStore, kCopy };

template <Touch touch>
__global__ void start(const std::uint32_t* in, std::uint32_t* out, std::uint32_t never) {
  if (touch == Touch::kNothing) return;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (touch == Touch::kStore) {
    out[i] = never;
    return;
  }
  std::uint32_t value = i + 1000;
  if (touch != Touch::kIndex) value = in[i];
  if (touch == Touch::kTwoLoads) value = in[i + value + 32];
  if (touch == Touch::kCopy || value == never) out[i] = value;
}

// Straight-line code that one warp executes once, in four chains.
template <int instructions>
__global__ void straight(float x, float a, float b, float* sink) {
  float chain[4] = {x, x + 1, x + 2, x + 3};
#pragma unroll
  for (int i = 0; i < instructions / 4; ++i) {
#pragma unroll
    for (int c = 0; c < 4; ++c) chain[c] = fmaf(chain[c], a, b);
  }
  if (chain[0] + chain[1] + chain[2] + chain[3] == 0.123f) sink[threadIdx.x] = x;
}

}  // namespace
}  // namespace pnsim::gpu
