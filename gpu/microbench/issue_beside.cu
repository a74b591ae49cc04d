// Issue slots that a memory access uses, measured among additions of a constant. Each addition
// reads one register, so that the register file is no bottleneck.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kAdditions = 64;  // per iteration, in four chains
constexpr int kIterations = 2000;
constexpr int kWarps = 32;  // eight per scheduler
constexpr unsigned kSharedWords = 1024;
constexpr int kResults = 16;

enum class Access { kNone, kLoad, kStore, kSharedLoad, kSharedStore, kShuffle };

template <Access access>
__device__ void make_access(int i, float& result, float value, float* words, std::uint32_t shared) {
  if (access == Access::kLoad)
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(result) : "l"(words + 32 * i));
  if (access == Access::kStore) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(words + 1024 * i), "f"(value) : "memory");
  }
  if (access == Access::kSharedLoad) {
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(result) : "r"(shared + 128 * i));
  }
  if (access == Access::kSharedStore) {
    asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(shared + 128 * i), "f"(value) : "memory");
  }
  if (access == Access::kShuffle) {  // permutes the result of the shuffle before
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+f"(result));
  }
}

// Stores go to the thread's own words, loads to lines that all warps share. Each of `uses` further
// additions uses the result of one access, or nothing. The assembler does not know that `zero` is
// 0, so it cannot merge accesses of different iterations.
template <Access access, int kAccesses, int kUses>
__global__ void beside(float* words, float x, long long zero, std::uint32_t* sink,
                       long long* cycles) {
  __shared__ float data[kSharedWords];
  constexpr int kParts = kAccesses > 0 ? kAccesses : 1;
  for (unsigned i = threadIdx.x; i < kSharedWords; i += blockDim.x) data[i] = x;
  words += access == Access::kStore ? threadIdx.x : threadIdx.x % 32;
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(data + threadIdx.x % 32));
  float chain[4] = {x, x + 1, x + 2, x + 3}, result[kResults] = {}, sum = x;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    asm volatile("add.s64 %0, %0, %1;" : "+l"(words) : "l"(zero));
#pragma unroll
    for (int i = 0; i < kParts; ++i) {
      make_access<access>(i, result[i % kResults], x, words, shared);
#pragma unroll
      for (int a = 0; a < kAdditions / kParts; ++a) {
        asm volatile("add.f32 %0, %0, 0f3FC00000;" : "+f"(chain[a % 4]));
      }
    }
#pragma unroll
    for (int i = 0; i < kUses; ++i)
      asm volatile("add.f32 %0, %0, %1;" : "+f"(sum) : "f"(result[i]));
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 0; c < 4; ++c) sum += chain[c];
  for (int i = 0; i < kResults; ++i) sum += result[i];
  sink[threadIdx.x] =
      __float_as_uint(sum) + static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(words));
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <Access access, int kAccesses, int kUses>
Sampled cycles_of_iteration(Bench& bench, float* words) {
  Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          beside<access, kAccesses, kUses>
              <<<1, 32 * kWarps, 0, bench.stream()>>>(words, 1.0f, 0, bench.sink(), bench.cycles());
        });
      },
      7);
  s.median *= 4.0 / (kWarps * kIterations);
  return s;
}

// Cycles beyond the same number of iterations with additions only.
template <Access access, int kAccesses, int kUses>
void add_beside(Bench& bench, const char* op, float* words, std::vector<MicroValue>& out) {
  const double alone = cycles_of_iteration<Access::kNone, 0, kUses>(bench, words).median;
  Sampled s = cycles_of_iteration<access, kAccesses, kUses>(bench, words);
  s.rel_mad *= s.median / (s.median - alone);
  s.median = (s.median - alone) / kAccesses;
  bench.add(out, "issue_beside", {{"op", op}, {"accesses", "", kAccesses}}, s, "cycle/instruction");
}

constexpr int kPairs = 8, kMultiplyAdds = 16;

// Eight words at indices held in registers; the address of each is a product: 4 bytes times its
// index. With `loads` false, the same without products and loads.
template <bool loads>
__global__ void beside_products(const float* __restrict__ words, std::uint32_t zero, float x,
                                std::uint32_t* sink, long long* cycles) {
  std::uint32_t place[kPairs];
  float chain[4] = {x, x + 1, x + 2, x + 3}, sum = x;
  for (int i = 0; i < kPairs; ++i) place[i] = threadIdx.x % 32 + 32 * i;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    float word[kPairs];
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      word[i] = loads ? __ldg(words + place[i]) : __uint_as_float(place[i]);
      place[i] += zero;
    }
#pragma unroll
    for (int a = 0; a < kMultiplyAdds; ++a) chain[a % 4] = fmaf(chain[a % 4], x, x);
#pragma unroll
    for (int i = 0; i < kPairs; ++i) sum = fmaf(word[i], x, sum);
  }
  __syncthreads();
  const long long stop = clock64();
  for (int c = 0; c < 4; ++c) sum += chain[c];
  sink[threadIdx.x] = __float_as_uint(sum);
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

template <bool loads>
Sampled cycles_of_products(Bench& bench, const float* words) {
  Sampled s = sample(
      [&] {
        return bench.cycles_of([&] {
          beside_products<loads>
              <<<1, 32 * kWarps, 0, bench.stream()>>>(words, 0, 1.0f, bench.sink(), bench.cycles());
        });
      },
      7);
  s.median *= 4.0 / (kWarps * kIterations);
  return s;
}

void add_products(Bench& bench, const float* words, std::vector<MicroValue>& out) {
  const double alone = cycles_of_products<false>(bench, words).median;
  Sampled s = cycles_of_products<true>(bench, words);
  s.rel_mad *= s.median / (s.median - alone);
  s.median = (s.median - alone) / kPairs;
  bench.add(out, "issue_beside", {{"op", "product_and_global_load"}, {"accesses", "", kPairs}}, s,
            "cycle/pair");
}

std::vector<MicroValue> run_beside(Bench& bench) {
  std::vector<MicroValue> out;
  const DeviceWords data(1u << 16);
  auto* const words = reinterpret_cast<float*>(data.get());
  add_beside<Access::kLoad, 4, 4>(bench, "global_load", words, out);
  add_beside<Access::kLoad, 8, 8>(bench, "global_load", words, out);
  add_beside<Access::kLoad, 16, 16>(bench, "global_load", words, out);
  add_products(bench, words, out);
  add_beside<Access::kStore, 2, 0>(bench, "global_store", words, out);
  add_beside<Access::kStore, 4, 0>(bench, "global_store", words, out);
  add_beside<Access::kSharedLoad, 4, 0>(bench, "shared_load", words, out);
  add_beside<Access::kSharedLoad, 8, 0>(bench, "shared_load", words, out);
  add_beside<Access::kSharedStore, 4, 0>(bench, "shared_store", words, out);
  add_beside<Access::kSharedStore, 8, 0>(bench, "shared_store", words, out);
  add_beside<Access::kShuffle, 4, 4>(bench, "shuffle", words, out);
  add_beside<Access::kShuffle, 8, 8>(bench, "shuffle", words, out);
  return out;
}

const bool kRegistered = register_microbenchmark("issue_beside", run_beside);

}  // namespace
}  // namespace pnsim::gpu
