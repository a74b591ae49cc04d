// Single operations whose rate is measured, alone or combined. x is one of several chain values;
// all share the operands a and b; i is the position in a sequence.
#pragma once

#include <cstdint>

namespace pnsim::gpu {

struct FmaOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return __float_as_uint(fmaf(__uint_as_float(x), __uint_as_float(a), __uint_as_float(b)));
  }
};
struct ImadOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return x * a + b;
  }
};
struct HighMulOp {  // the upper half of a product
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t, int) {
    return __umulhi(x, a);
  }
};
struct LogicOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    std::uint32_t out;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(out) : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
struct ShiftOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    return __funnelshift_l(x, a, b);
  }
};
struct SpecialOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    float out;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(__uint_as_float(x)));
    return __float_as_uint(out);
  }
};
struct ShuffleOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t, int) {
    return __shfl_xor_sync(0xffffffffu, x, static_cast<int>(a & 31u));
  }
};
struct AddOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    std::uint32_t out;
    asm volatile("{ .reg .u32 t; add.u32 t, %1, %2; add.u32 %0, t, %3; }"
                 : "=r"(out)
                 : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
struct SelectOp {  // a comparison, and a select by it
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    std::uint32_t out;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, %1, %3, p; }"
                 : "=r"(out)
                 : "r"(x), "r"(a), "r"(b));
    return out;
  }
};
struct ConvertOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    std::uint32_t out;
    asm volatile("cvt.rzi.u32.f32 %0, %1;" : "=r"(out) : "f"(__uint_as_float(x)));
    return out;
  }
};
struct CountBitsOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t, std::uint32_t, int) {
    std::uint32_t out;
    asm volatile("popc.b32 %0, %1;" : "=r"(out) : "r"(x));
    return out;
  }
};
// Two kinds alternate: do they share a pipe?
template <class Even, class Odd>
struct MixOp {
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int i) {
    return i % 2 ? Odd::run(x, a, b, i) : Even::run(x, a, b, i);
  }
};
struct MovedFmaOp {  // operands that the compiler must keep in registers
  static __device__ std::uint32_t run(std::uint32_t x, std::uint32_t a, std::uint32_t b, int) {
    float out;
    asm volatile("fma.rn.f32 %0, %1, %2, %3;"
                 : "=f"(out)
                 : "f"(__uint_as_float(x)), "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return __float_as_uint(out);
  }
};

}  // namespace pnsim::gpu
