// Matrix products of a warp group (wgmma) and the descriptors of their operands in shared memory.
// Only for compute capability 9.0 (architecture 90a): the whole content vanishes in other
// compilations.
#pragma once

#include <cstdint>

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define PNSIM_HAS_WGMMA 1
#endif

namespace pnsim::gpu {

// A tile in shared memory whose rows are 128 bytes along K, swizzled by 128 bytes, as the copy
// engine lays it out: groups of 8 rows are 1024 bytes apart. `shared` is a multiple of 1024 bytes,
// plus 32 bytes per step along K.
__device__ inline std::uint64_t swizzled_tile(std::uint32_t shared) {
  constexpr std::uint64_t kSwizzle128 = 1ull << 62, kGroups = 1024 / 16, kUnused = 1;
  return kSwizzle128 | kGroups << 32 | kUnused << 16 | ((shared & 0x3ffffu) >> 4);
}

#ifdef PNSIM_HAS_WGMMA

// Before the first product of a group, when registers or shared memory were written.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kPending>
__device__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

// Keeps the compiler from moving accesses to accumulators across products that are under way.
template <int kCount>
__device__ void hold(float (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
template <int kCount>
__device__ void hold(std::uint32_t (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(d[i])::"memory");
}

#define PNSIM_REGISTERS_32                                                                 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define PNSIM_REGISTERS_64                                                                 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "  \
  "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "  \
  "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define PNSIM_REGISTERS_128                                                                   \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "    \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "     \
  "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "     \
  "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, "     \
  "%70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, "     \
  "%87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, " \
  "%104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, "      \
  "%118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define PNSIM_D8(C, i) \
  C(d[i]), C(d[i + 1]), C(d[i + 2]), C(d[i + 3]), C(d[i + 4]), C(d[i + 5]), C(d[i + 6]), C(d[i + 7])
#define PNSIM_D32(C, i) PNSIM_D8(C, i), PNSIM_D8(C, i + 8), PNSIM_D8(C, i + 16), PNSIM_D8(C, i + 24)
#define PNSIM_D64(C, i) PNSIM_D32(C, i), PNSIM_D32(C, i + 32)
#define PNSIM_D128(C, i) PNSIM_D64(C, i), PNSIM_D64(C, i + 64)

// D += A * B with 64 rows, kN columns and 32 bytes of K: A and B in shared memory (`step`), or A in
// registers (`step_registers`).
template <class Type, int kN>
struct WarpGroupProduct;

#define PNSIM_WGMMA(TYPE, NUMBER, C, N, R, WHAT, BY_SHARED, BY_REGISTERS)                          \
  template <>                                                                                      \
  struct WarpGroupProduct<TYPE, N> {                                                               \
    using Number = NUMBER;                                                                         \
    static constexpr int kNumbers = R;                                                             \
    static __device__ void step(Number (&d)[R], std::uint64_t a, std::uint64_t b) {                \
      asm volatile("wgmma.mma_async.sync.aligned." WHAT " " PNSIM_REGISTERS_##R ", " BY_SHARED ";" \
                   : PNSIM_D##R(C, 0)                                                              \
                   : "l"(a), "l"(b));                                                              \
    }                                                                                              \
    static __device__ void step_registers(Number (&d)[R], const std::uint32_t (&a)[4],             \
                                          std::uint64_t b) {                                       \
      asm volatile("wgmma.mma_async.sync.aligned." WHAT " " PNSIM_REGISTERS_##R ", " BY_REGISTERS  \
                                                                                ";"                \
                   : PNSIM_D##R(C, 0)                                                              \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                          \
    }                                                                                              \
  };

struct HalfType {};
struct Tf32Type {};
struct Int8Type {};
struct Fp8Type {};

PNSIM_WGMMA(HalfType, float, "+f", 64, 32, "m64n64k16.f32.f16.f16", "%32, %33, 1, 1, 1, 0, 0",
            "{%32, %33, %34, %35}, %36, 1, 1, 1, 0")
PNSIM_WGMMA(HalfType, float, "+f", 128, 64, "m64n128k16.f32.f16.f16", "%64, %65, 1, 1, 1, 0, 0",
            "{%64, %65, %66, %67}, %68, 1, 1, 1, 0")
PNSIM_WGMMA(HalfType, float, "+f", 256, 128, "m64n256k16.f32.f16.f16", "%128, %129, 1, 1, 1, 0, 0",
            "{%128, %129, %130, %131}, %132, 1, 1, 1, 0")
PNSIM_WGMMA(Tf32Type, float, "+f", 64, 32, "m64n64k8.f32.tf32.tf32", "%32, %33, 1, 1, 1",
            "{%32, %33, %34, %35}, %36, 1, 1, 1")
PNSIM_WGMMA(Tf32Type, float, "+f", 128, 64, "m64n128k8.f32.tf32.tf32", "%64, %65, 1, 1, 1",
            "{%64, %65, %66, %67}, %68, 1, 1, 1")
PNSIM_WGMMA(Tf32Type, float, "+f", 256, 128, "m64n256k8.f32.tf32.tf32", "%128, %129, 1, 1, 1",
            "{%128, %129, %130, %131}, %132, 1, 1, 1")
PNSIM_WGMMA(Fp8Type, float, "+f", 64, 32, "m64n64k32.f32.e4m3.e4m3", "%32, %33, 1, 1, 1",
            "{%32, %33, %34, %35}, %36, 1, 1, 1")
PNSIM_WGMMA(Fp8Type, float, "+f", 128, 64, "m64n128k32.f32.e4m3.e4m3", "%64, %65, 1, 1, 1",
            "{%64, %65, %66, %67}, %68, 1, 1, 1")
PNSIM_WGMMA(Fp8Type, float, "+f", 256, 128, "m64n256k32.f32.e4m3.e4m3", "%128, %129, 1, 1, 1",
            "{%128, %129, %130, %131}, %132, 1, 1, 1")
PNSIM_WGMMA(Int8Type, std::uint32_t, "+r", 64, 32, "m64n64k32.s32.s8.s8", "%32, %33, 1",
            "{%32, %33, %34, %35}, %36, 1")
PNSIM_WGMMA(Int8Type, std::uint32_t, "+r", 128, 64, "m64n128k32.s32.s8.s8", "%64, %65, 1",
            "{%64, %65, %66, %67}, %68, 1")
PNSIM_WGMMA(Int8Type, std::uint32_t, "+r", 256, 128, "m64n256k32.s32.s8.s8", "%128, %129, 1",
            "{%128, %129, %130, %131}, %132, 1")

#undef PNSIM_WGMMA

#endif

}  // namespace pnsim::gpu
