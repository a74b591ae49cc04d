// Kernels that begin and end: what a launch costs besides its work. No constants here: where a
// module has some of its own, all its kernels begin later (constants.cu).
#pragma once

#include <cstdint>

namespace pnsim::gpu {
namespace {

// What a thread does: works out its index, then touches memory. `in` holds zeros, `never` is not
// one of them, nor an index: where a store hangs on it, nobody stores, which the compiler cannot
// know.
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

// Straight code that is executed once, by one warp, in four chains.
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
