// Loads of one warp whose lanes collide in a bank of shared memory or L1. Each load's address
// depends on the result of the load before. It measures the extra time per additional wavefront.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kLanes = 32, kSteps = 4096, kUnroll = 8;

enum class Memory { kShared, kL1 };

// `zeros` holds only zeros. Lane l reads word l * stride, so `stride` lanes, a power of two,
// collide in each bank that is used.
template <Memory memory>
__global__ void chase_strided(const std::uint32_t* zeros, int stride, std::uint32_t* sink,
                              long long* cycles) {
  __shared__ std::uint32_t words[kLanes * kLanes];
  for (unsigned i = threadIdx.x; i < kLanes * kLanes; i += kLanes) words[i] = zeros[i];
  __syncwarp();
  const auto offset = threadIdx.x * static_cast<unsigned>(stride);
  const std::uint32_t* const from = zeros + offset;
  const auto shared_from =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(words)) + 4u * offset;
  std::uint32_t at = 0;
  const auto steps = [&](int count) {
#pragma unroll 1
    for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        if constexpr (memory == Memory::kL1)
          at = __ldca(from + at);
        else
          asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(shared_from + at) : "memory");
      }
    }
  };
  steps(kUnroll);
  __syncwarp();
  const long long begin = clock64() + at;
  steps(kSteps);
  __syncwarp();
  if (threadIdx.x == 0) cycles[0] = clock64() - begin;
  sink[threadIdx.x] = at;
}

template <Memory memory>
void add_strides(Bench& bench, const char* name, std::vector<MicroValue>& out) {
  DeviceWords zeros(kLanes * kLanes);
  zeros.fill(0, bench.stream());
  for (const int stride : {1, 2, 4, 8, 16, 32}) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        chase_strided<memory>
            <<<1, kLanes, 0, bench.stream()>>>(zeros.get(), stride, bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "latency_wavefronts", {{"memory", name}, {"wavefronts", "", stride}}, s, "cycle",
              1.0 / kSteps);
  }
}

std::vector<MicroValue> run_wavefronts(Bench& bench) {
  std::vector<MicroValue> out;
  add_strides<Memory::kShared>(bench, "shared", out);
  add_strides<Memory::kL1>(bench, "l1", out);
  return out;
}

const bool kRegistered = register_microbenchmark("latency_wavefronts", run_wavefronts);

}  // namespace
}  // namespace pnsim::gpu
