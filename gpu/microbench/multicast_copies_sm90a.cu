// Bulk copies that are multicast to all blocks of a cluster: what an SM takes in.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kDataBytes = 16u << 20;  // stays in L2
constexpr unsigned kBytes = 24576;          // of a stage: each block of the cluster copies its part
constexpr unsigned kStages = 8, kFew = 128, kMany = 640;  // stages in a ring, and copies into it

__device__ void meet_in_cluster() {
  PNSIM_ASM_90("barrier.cluster.arrive.release.aligned;" ::: "memory");
  PNSIM_ASM_90("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ unsigned rank_in_cluster() {
  std::uint32_t rank = 0;
  PNSIM_ASM_90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Arrives at the barrier at this address of shared memory in block `rank` of the cluster.
__device__ void arrive_in_block(std::uint32_t barrier, unsigned rank) {
  PNSIM_ASM_90(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
      "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

// A ring of stages. The first warp copies this block's part of each stage to all blocks of the
// cluster, once all of them have emptied the stage. The second warp waits for each stage, and
// tells all blocks that it is empty, with a lane for each.
__global__ void multicast_loads(const char* data, unsigned cluster, unsigned copies,
                                std::uint32_t* sink, long long* cycles) {
  extern __shared__ __align__(128) unsigned char buffers[];
  __shared__ __align__(8) std::uint64_t filled_barriers[kStages], empty_barriers[kStages];
  const std::uint32_t shared = (shared_address(buffers) + 127u) & ~127u;
  const std::uint32_t filled = shared_address(filled_barriers);
  const std::uint32_t empty = shared_address(empty_barriers);
  const bool is_elected = elect_one(), is_copying = threadIdx.x < 32;
  if (is_elected && is_copying) {
    for (unsigned i = 0; i < kStages; ++i) {
      init_barrier(filled + 8 * i, 1);
      init_barrier(empty + 8 * i, cluster);
    }
    publish_barriers();
  }
  __syncwarp();
  meet_in_cluster();
  const unsigned part = kBytes / cluster, own = rank_in_cluster() * part;
  const auto all = static_cast<std::uint16_t>((1u << cluster) - 1);
  const long long begin = clock64();
  if (is_elected && is_copying) {
    unsigned place = blockIdx.x / cluster * 37u;
#pragma unroll 1
    for (unsigned i = 0; i < copies; ++i, ++place) {
      const unsigned stage = i % kStages, round = i / kStages;
      if (round > 0) wait_for_phase(empty + 8 * stage, (round - 1) % 2);
      arrive_with_bytes(filled + 8 * stage, kBytes);
      const char* from = data + place % (kDataBytes / kBytes) * kBytes + own;
      const std::uint32_t to = shared + stage * kBytes + own;
      if (cluster == 1) {
        bulk_load(to, from, part, filled + 8 * stage);
      } else {
        multicast_load(to, from, part, filled + 8 * stage, all);
      }
    }
  } else if (!is_copying && threadIdx.x % 32 < cluster) {
#pragma unroll 1
    for (unsigned i = 0; i < copies; ++i) {
      const unsigned stage = i % kStages;
      wait_for_phase(filled + 8 * stage, i / kStages % 2);
      arrive_in_block(empty + 8 * stage, threadIdx.x % 32);
    }
  }
  __syncwarp();
  meet_in_cluster();  // nobody leaves while others copy into its memory
  if (is_elected && is_copying) {
    cycles[blockIdx.x] = clock64() - begin;
    sink[0] = buffers[0];
  }
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a multicast copy", true)) return out;
  DeviceWords data(kDataBytes / 4);
  data.fill(0, bench.stream());
  constexpr unsigned kShared = kStages * kBytes + 128;
  PNSIM_CUDA(cudaFuncSetAttribute(multicast_loads, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(kShared)));
  for (const unsigned cluster : {1u, 2u, 4u, 8u}) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(bench.sms()) / cluster * cluster);
    config.blockDim = dim3(64);
    config.dynamicSmemBytes = kShared;
    config.stream = bench.stream();
    config.attrs = &attribute;
    config.numAttrs = 1;
    const auto cycles = [&](unsigned copies) {
      return sample(
          [&] {
            return bench.cycles_of([&] {
              PNSIM_CUDA(cudaLaunchKernelEx(&config, multicast_loads,
                                            reinterpret_cast<const char*>(data.get()), cluster,
                                            copies, bench.sink(), bench.cycles()));
            });
          },
          5);
    };
    const Sampled few = cycles(kFew);
    Sampled s = cycles(kMany);             // the start and the end are those of few copies
    if (s.median <= few.median) continue;  // noise
    s.rel_mad = (s.rel_mad * s.median + few.rel_mad * few.median) / (s.median - few.median);
    s.median = static_cast<double>(kMany - kFew) * kBytes / (s.median - few.median);
    bench.add(out, "multicast_bandwidth",
              {{"op", "bulk_load"}, {"bytes", "", kBytes}, {"cluster", "", cluster}}, s,
              "byte/cycle/SM");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("multicast_bandwidth", run_bandwidth);

}  // namespace
}  // namespace pnsim::gpu
