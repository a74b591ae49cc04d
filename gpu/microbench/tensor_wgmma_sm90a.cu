// Matrix products of a warp group (wgmma) by type, columns and where A lies: the latency of one
// product, and the cycles of a product when many are queued, by warp groups of a block.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"
#include "gpu/ptx/warp_group_product.cuh"

namespace pnsim::gpu {
namespace {

enum class Operand { kShared, kRegisters };

constexpr unsigned kTileBytes = 64 * 128 + 256 * 128;  // A: 64 rows, B: up to 256

// Groups of kProducts dependent products (they add to the same accumulators), each group committed
// and waited for. The tiles are not initialised: the content does not change the cycles.
template <class Type, int kN, Operand operand, int kProducts>
__global__ void __launch_bounds__(kN == 256 ? 256 : 384, 1)
    products(int rounds, std::uint32_t word, std::uint32_t* sink, long long* cycles) {
#ifdef PNSIM_HAS_WGMMA
  extern __shared__ __align__(1024) unsigned char tiles[];
  using Product = WarpGroupProduct<Type, kN>;
  typename Product::Number d[Product::kNumbers] = {};
  std::uint32_t a[4] = {word, word + 1, word + 2, word + 3};
  const std::uint32_t base = (shared_address(tiles) + 1023u) & ~1023u;
  for (unsigned i = threadIdx.x; i < kTileBytes / 4; i += blockDim.x)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(0) : "memory");
  const std::uint64_t tile_a = swizzled_tile(base), tile_b = swizzled_tile(base + 64 * 128);
  fence_for_async();
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    hold(d);
    begin_products();
#pragma unroll
    for (int i = 0; i < kProducts; ++i) {
      // 32 bytes along K: the next of the four steps in a row of 128 bytes.
      const unsigned step = static_cast<unsigned>(i) % 4 * 2;
      if constexpr (operand == Operand::kShared) {
        Product::step(d, tile_a + step, tile_b + step);
      } else {
        Product::step_registers(d, a, tile_b + step);
      }
    }
    commit_products();
    wait_for_products<0>();
    hold(d);
  }
  __syncthreads();
  const long long end = clock64();
  float sum = 0;
  for (int i = 0; i < Product::kNumbers; ++i) sum += static_cast<float>(d[i]);
  sink[threadIdx.x] = __float_as_uint(sum);
  if (threadIdx.x == 0) cycles[0] = end - begin;
#endif
}

template <class Type, int kN, Operand operand, int kProducts>
Sampled cycles_of_group(Bench& bench, int warp_groups) {
  constexpr int kRounds = 64;
  constexpr int kBytes = kTileBytes + 1024;
  const auto kernel = products<Type, kN, operand, kProducts>;
  PNSIM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          kernel<<<1, 128 * warp_groups, kBytes, bench.stream()>>>(kRounds, 0, bench.sink(),
                                                                   bench.cycles());
        });
      },
      7);
  s.median /= kRounds;
  return s;
}

struct Kind {
  const char *shape, *type, *operand;
};

// The latency is that of a group of one product: issue, product, wait.
template <class Type, int kN, Operand operand>
void add_latency(Bench& bench, const Kind& kind, std::vector<MicroValue>& out) {
  bench.add(out, "wgmma_latency",
            {{"shape", kind.shape}, {"type", kind.type}, {"a_in", kind.operand}},
            cycles_of_group<Type, kN, operand, 1>(bench, 1), "cycle");
}

// The cycles of one more product in a queue: those of 16 less those of 8.
template <class Type, int kN, Operand operand>
void add_rate(Bench& bench, const Kind& kind, std::vector<MicroValue>& out) {
  constexpr int kFew = 8, kMany = 16;
  for (const int groups : {1, 2, 3}) {
    if (kN == 256 && groups == 3) continue;  // the registers of an SM do not suffice
    const Sampled few = cycles_of_group<Type, kN, operand, kFew>(bench, groups);
    Sampled s = cycles_of_group<Type, kN, operand, kMany>(bench, groups);
    s.rel_mad *= s.median / (s.median - few.median);
    s.median = (s.median - few.median) / ((kMany - kFew) * groups);
    bench.add(out, "wgmma_rate",
              {{"shape", kind.shape},
               {"type", kind.type},
               {"a_in", kind.operand},
               {"warp_groups", "", groups}},
              s, "cycle/product");
  }
}

template <class Type, int kN>
void add_shape(Bench& bench, const char* shape, const char* type, bool rate,
               std::vector<MicroValue>& out) {
  const Kind shared{shape, type, "shared"}, registers{shape, type, "registers"};
  if (rate) {
    add_rate<Type, kN, Operand::kShared>(bench, shared, out);
    add_rate<Type, kN, Operand::kRegisters>(bench, registers, out);
  } else {
    add_latency<Type, kN, Operand::kShared>(bench, shared, out);
    add_latency<Type, kN, Operand::kRegisters>(bench, registers, out);
  }
}

std::vector<MicroValue> run(Bench& bench, bool rate) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "wgmma", true)) return out;
  add_shape<HalfType, 64>(bench, "m64n64k16", "f16_to_f32", rate, out);
  add_shape<HalfType, 128>(bench, "m64n128k16", "f16_to_f32", rate, out);
  add_shape<HalfType, 256>(bench, "m64n256k16", "f16_to_f32", rate, out);
  add_shape<Tf32Type, 64>(bench, "m64n64k8", "tf32_to_f32", rate, out);
  add_shape<Tf32Type, 128>(bench, "m64n128k8", "tf32_to_f32", rate, out);
  add_shape<Tf32Type, 256>(bench, "m64n256k8", "tf32_to_f32", rate, out);
  add_shape<Fp8Type, 64>(bench, "m64n64k32", "e4m3_to_f32", rate, out);
  add_shape<Fp8Type, 128>(bench, "m64n128k32", "e4m3_to_f32", rate, out);
  add_shape<Fp8Type, 256>(bench, "m64n256k32", "e4m3_to_f32", rate, out);
  add_shape<Int8Type, 64>(bench, "m64n64k32", "s8_to_s32", rate, out);
  add_shape<Int8Type, 128>(bench, "m64n128k32", "s8_to_s32", rate, out);
  add_shape<Int8Type, 256>(bench, "m64n256k32", "s8_to_s32", rate, out);
  return out;
}

std::vector<MicroValue> run_latency(Bench& bench) { return run(bench, false); }
std::vector<MicroValue> run_rate(Bench& bench) { return run(bench, true); }

const bool kRegistered = register_microbenchmark("wgmma_latency", run_latency) &&
                         register_microbenchmark("wgmma_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
