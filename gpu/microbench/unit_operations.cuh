// Operations for unit_steps.cuh that are one line of PTX.
#pragma once

#include "gpu/microbench/unit_steps.cuh"
#include "gpu/ptx/architecture.cuh"

namespace pnsim::gpu {

// x is read and written, a and b are only read. They come from the host, so that nothing is folded.
template <class T>
struct Operands {
  T x, a, b;
};

// Both halves of a number of 64 bits: the assembler drops instructions whose result is not used.
__device__ inline std::uint32_t folded(std::uint32_t x) { return x; }
__device__ inline std::uint32_t folded(float x) { return __float_as_uint(x); }
__device__ inline std::uint32_t folded(unsigned long long x) {
  return static_cast<std::uint32_t>(x ^ (x >> 32));
}
__device__ inline std::uint32_t folded(double x) {
  return static_cast<std::uint32_t>(__double2loint(x) ^ __double2hiint(x));
}

}  // namespace pnsim::gpu

// An operation on numbers of type T; in the text %0 is x, %1 is a, %2 is b. C is the constraint of
// T. The host gives the seed 0, but the compiler must assume that x differs between the lanes, so
// it does not use the unit for uniform values.
#define PNSIM_UNIT_OP(NAME, T, C, X, A, B, TEXT)                                                \
  struct NAME {                                                                                 \
    using State = Operands<T>;                                                                  \
    static __device__ void start(State& s, std::uint32_t seed) {                                \
      s = {(X) + static_cast<T>(seed * threadIdx.x), (A) + static_cast<T>(seed),                \
           (B) + static_cast<T>(seed)};                                                         \
    }                                                                                           \
    static __device__ void step(State& s) { asm volatile(TEXT : "+" C(s.x) : C(s.a), C(s.b)); } \
    static __device__ std::uint32_t word(const State& s) { return folded(s.x); }                \
  };

// The same for compute capability 8.0 and newer.
#define PNSIM_UNIT_OP_80(NAME, T, C, X, A, B, TEXT)                                             \
  struct NAME {                                                                                 \
    using State = Operands<T>;                                                                  \
    static __device__ void start(State& s, std::uint32_t seed) {                                \
      s = {(X) + static_cast<T>(seed * threadIdx.x), (A) + static_cast<T>(seed),                \
           (B) + static_cast<T>(seed)};                                                         \
    }                                                                                           \
    static __device__ void step(State& s) { PNSIM_ASM_80(TEXT : "+" C(s.x) : C(s.a), C(s.b)); } \
    static __device__ std::uint32_t word(const State& s) { return folded(s.x); }                \
  };
