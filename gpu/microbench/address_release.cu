// How long an access keeps its address register: one warp issues an access, then adds to the
// address in place, which has to wait until the access has read it. Beside it, the loop without an
// access.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kSteps = 512;

enum class Access { kNone, kCopy4, kCopy16, kStoreShared, kStoreGlobal };

template <Access kAccess>
__device__ void access(std::uint32_t shared, std::uint64_t global) {
  if constexpr (kAccess == Access::kCopy4)
    copy_async<4>(shared, reinterpret_cast<const void*>(global));
  if constexpr (kAccess == Access::kCopy16)
    copy_async<16>(shared, reinterpret_cast<const void*>(global));
  if constexpr (kAccess == Access::kStoreShared)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared), "r"(1) : "memory");
  if constexpr (kAccess == Access::kStoreGlobal)
    asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(global), "r"(1) : "memory");
}

template <Access kAccess>
__global__ void accesses(std::uint32_t* words, int shared_step, long long global_step, int steps,
                         std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(16) std::uint32_t target[32 * 4 * 2];
  std::uint32_t shared = shared_address(target) + 16 * threadIdx.x;
  auto global = reinterpret_cast<std::uint64_t>(words) + 16 * threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    access<kAccess>(shared, global);
    // In place: the loop carries both addresses.
    asm volatile("add.s32 %0, %0, %1;" : "+r"(shared) : "r"(shared_step) : "memory");
    asm volatile("add.s64 %0, %0, %1;" : "+l"(global) : "l"(global_step) : "memory");
  }
  const long long end = clock64();
  commit_copies();
  wait_for_copies<0>();
  sink[threadIdx.x] = target[threadIdx.x] + shared + static_cast<std::uint32_t>(global);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

template <Access kAccess>
void add(Bench& bench, const DeviceWords& words, const char* name, std::vector<MicroValue>& out) {
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      accesses<kAccess>
          <<<1, 32, 0, bench.stream()>>>(words.get(), 0, 0, kSteps, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "address_release", {{"access", name}}, s, "cycle/access", 1.0 / kSteps);
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords words(1024);
  words.fill(0, bench.stream());
  add<Access::kNone>(bench, words, "none", out);
  add<Access::kStoreShared>(bench, words, "store_shared", out);
  add<Access::kStoreGlobal>(bench, words, "store_global", out);
  if (!bench.has_capability(80, "cp.async")) return out;
  add<Access::kCopy4>(bench, words, "copy_4_bytes", out);
  add<Access::kCopy16>(bench, words, "copy_16_bytes", out);
  return out;
}

const bool kRegistered = register_microbenchmark("address_release", run);

}  // namespace
}  // namespace pnsim::gpu
