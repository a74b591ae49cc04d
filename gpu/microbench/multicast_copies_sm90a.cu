// Bulk copies that are multicast to all blocks of a cluster: what an SM takes in.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kDataBytes = 16u << 20;  // stays in L2
constexpr unsigned kBytes = 24576;          // of a stage: each block of the cluster copies its part
constexpr unsigned kFewStages = 4, kManyStages = 8, kRounds = 128;

__device__ void meet_in_cluster() {
  PNSIM_ASM_90("barrier.cluster.arrive.release.aligned;" ::: "memory");
  PNSIM_ASM_90("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ unsigned rank_in_cluster() {
  std::uint32_t rank = 0;
  PNSIM_ASM_90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// In each round a block gets `stages` stages; then the blocks of the cluster meet.
__global__ void multicast_loads(const char* data, unsigned cluster, unsigned stages,
                                std::uint32_t* sink, long long* cycles) {
  extern __shared__ __align__(128) unsigned char buffers[];
  __shared__ __align__(8) std::uint64_t barriers[kManyStages];
  const std::uint32_t shared = (shared_address(buffers) + 127u) & ~127u;
  const std::uint32_t barrier = shared_address(barriers);
  const bool is_elected = elect_one();
  if (is_elected) {
    for (unsigned i = 0; i < stages; ++i) init_barrier(barrier + 8 * i, 1);
    publish_barriers();
  }
  const unsigned part = kBytes / cluster, own = rank_in_cluster() * part;
  const auto all = static_cast<std::uint16_t>((1u << cluster) - 1);
  const long long begin = clock64();
  unsigned place = blockIdx.x / cluster * 37u;
#pragma unroll 1
  for (unsigned round = 0; round < kRounds; ++round) {
    if (is_elected) {
      for (unsigned i = 0; i < stages; ++i) arrive_with_bytes(barrier + 8 * i, kBytes);
    }
    __syncwarp();
    meet_in_cluster();  // nobody copies into a stage that another block still waits for
    if (is_elected) {
#pragma unroll 1
      for (unsigned i = 0; i < stages; ++i, ++place) {
        const char* from = data + place % (kDataBytes / kBytes) * kBytes + own;
        const std::uint32_t to = shared + i * kBytes + own;
        if (cluster == 1) {
          bulk_load(to, from, part, barrier + 8 * i);
        } else {
          multicast_load(to, from, part, barrier + 8 * i, all);
        }
      }
      for (unsigned i = 0; i < stages; ++i) wait_for_phase(barrier + 8 * i, round % 2);
    }
    __syncwarp();
  }
  meet_in_cluster();  // nobody leaves while others copy into its memory
  if (is_elected) {
    cycles[blockIdx.x] = clock64() - begin;
    sink[0] = buffers[0];
  }
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a multicast copy", true)) return out;
  DeviceWords data(kDataBytes / 4);
  data.fill(0, bench.stream());
  constexpr unsigned kShared = kManyStages * kBytes + 128;
  PNSIM_CUDA(cudaFuncSetAttribute(multicast_loads, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(kShared)));
  for (const unsigned cluster : {1u, 2u, 4u, 8u}) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(bench.sms()) / cluster * cluster);
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = kShared;
    config.stream = bench.stream();
    config.attrs = &attribute;
    config.numAttrs = 1;
    const auto cycles = [&](unsigned stages) {
      return sample(
          [&] {
            return bench.cycles_of([&] {
              PNSIM_CUDA(cudaLaunchKernelEx(&config, multicast_loads,
                                            reinterpret_cast<const char*>(data.get()), cluster,
                                            stages, bench.sink(), bench.cycles()));
            });
          },
          5);
    };
    const Sampled few = cycles(kFewStages);
    Sampled s = cycles(kManyStages);       // the latency and the meeting are those of few stages
    if (s.median <= few.median) continue;  // noise
    s.rel_mad = (s.rel_mad * s.median + few.rel_mad * few.median) / (s.median - few.median);
    s.median = static_cast<double>(kRounds) * (kManyStages - kFewStages) * kBytes /
               (s.median - few.median);
    bench.add(out, "multicast_bandwidth",
              {{"op", "bulk_load"}, {"bytes", "", kBytes}, {"cluster", "", cluster}}, s,
              "byte/cycle/SM");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("multicast_bandwidth", run_bandwidth);

}  // namespace
}  // namespace pnsim::gpu
