// The clock that the GPU holds while all its tensor cores work: such kernels draw so much power
// that the driver lowers the clock. It takes about a second.
#include <chrono>
#include <thread>

#include "gpu/live/clocks.h"
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"
#include "gpu/ptx/warp_group_product.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kProducts = 16, kLaunches = 10, kWarpGroups = 2;
constexpr int kRounds = 36'000;  // a tenth of a second at 1.5 GHz
constexpr unsigned kBytesOfA = 64 * 128, kBytesOfB = 256 * 128;
constexpr unsigned kSharedBytes = kWarpGroups * kBytesOfA + kBytesOfB + 1024;

// A pseudo-random word: two halves between 1 and 2, or between -2 and -1. The power depends on how
// many bits change, so zeros would keep the clock high.
__device__ std::uint32_t random_halves(std::uint32_t i) {
  i = (i ^ 61u ^ (i >> 16)) * 9u;
  i = (i ^ (i >> 4)) * 0x27d4eb2du;
  i ^= i >> 15;
  return (i & 0x83ff83ffu) | 0x3c003c00u;
}

// Products of 64 x 256 by two warp groups on each SM. Writes cycles and nanoseconds of block 0.
__global__ void __launch_bounds__(128 * kWarpGroups, 1)
    work(int rounds, std::uint32_t* sink, long long* out) {
#ifdef PNSIM_HAS_WGMMA
  extern __shared__ __align__(1024) unsigned char tiles[];
  using Product = WarpGroupProduct<HalfType, 256>;
  Product::Number d[Product::kNumbers] = {};
  const std::uint32_t base = (shared_address(tiles) + 1023u) & ~1023u;
  for (unsigned i = threadIdx.x; i < (kSharedBytes - 1024) / 4; i += blockDim.x) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(random_halves(i)) : "memory");
  }
  const std::uint64_t a = swizzled_tile(base + kBytesOfB + threadIdx.x / 128 * kBytesOfA);
  const std::uint64_t b = swizzled_tile(base);
  fence_for_async();
  __syncthreads();
  unsigned long long before = 0, after = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    hold(d);
    begin_products();
#pragma unroll
    for (int i = 0; i < kProducts; ++i) {
      const unsigned step = static_cast<unsigned>(i) % 4 * 2;
      Product::step(d, a + step, b + step);
    }
    commit_products();
    wait_for_products<0>();
    hold(d);
  }
  const long long end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  float sum = 0;
  for (int i = 0; i < Product::kNumbers; ++i) sum += d[i];
  sink[threadIdx.x] = __float_as_uint(sum);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = end - begin;
    out[1] = static_cast<long long>(after - before);
  }
#endif
}

// One clock for each launch, by the GPU's timer and by the driver while the launch runs.
struct Clocks {
  std::vector<double> counted, reported;
};

Clocks clocks_under_load(Bench& bench) {
  std::string why;
  const std::unique_ptr<Nvml> nvml = open_clocks(&why);
  Clocks out;
  for (int launch = 0; launch < kLaunches; ++launch) {
    work<<<static_cast<unsigned>(bench.sms()), 128 * kWarpGroups, kSharedBytes, bench.stream()>>>(
        kRounds, bench.sink(), bench.cycles());
    PNSIM_CUDA(cudaGetLastError());
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    if (nvml) out.reported.push_back(nvml->read().sm_clock_mhz);
    PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
    long long found[2] = {};
    PNSIM_CUDA(cudaMemcpy(found, bench.cycles(), sizeof found, cudaMemcpyDeviceToHost));
    out.counted.push_back(1e3 * static_cast<double>(found[0]) / static_cast<double>(found[1]));
  }
  return out;
}

// The second half of the launches: the clock falls during the first ones.
Sampled later_half(const std::vector<double>& clocks) {
  return summary({clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2), clocks.end()});
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "wgmma", true)) return out;
  PNSIM_CUDA(cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(kSharedBytes)));
  const Clocks clocks = clocks_under_load(bench);
  bench.add(out, "tensor_clock", {{"type", "f16_to_f32"}, {"when", "first_300_ms"}},
            summary({clocks.counted.begin(), clocks.counted.begin() + 3}), "MHz");
  bench.add(out, "tensor_clock", {{"type", "f16_to_f32"}, {"when", "sustained"}},
            later_half(clocks.counted), "MHz");
  const Sampled reported = clocks.reported.empty() ? Sampled{} : later_half(clocks.reported);
  if (reported.median > 0) {
    bench.add(out, "tensor_clock", {{"type", "f16_to_f32"}, {"when", "sustained_by_driver"}},
              reported, "MHz");
  }
  // What follows in this process must not find the clock low.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return out;
}

const bool kRegistered = register_microbenchmark("tensor_clock", run);

}  // namespace
}  // namespace pnsim::gpu
