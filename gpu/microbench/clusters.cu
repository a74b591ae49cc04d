// Clusters of blocks: what their launch costs beside a launch without, and shared memory of another
// block of the cluster: latency and bandwidth.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kLoads = 8, kRounds = 64, kThreads = 256;

// `never` is 0, which only the host knows.
__global__ void nothing(std::uint32_t never, std::uint32_t* sink) {
  if (never != 0) sink[threadIdx.x] = never;
}

__global__ void cluster_barriers(int rounds, std::uint32_t* sink, long long* cycles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  sink[threadIdx.x] = threadIdx.x;
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ void meet_in_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The address of `shared` in the block `distance` ranks further.
__device__ std::uint32_t address_in_cluster(std::uint32_t shared, unsigned distance) {
  std::uint32_t rank, size, out;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  const std::uint32_t target = (rank + distance) % size;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(out) : "r"(shared), "r"(target));
  return out;
}
#endif

// One thread of each block follows zeros: each load adds its result to the next address.
__global__ void remote_chain(unsigned distance, std::uint32_t* sink, long long* cycles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ std::uint32_t words[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;
  std::uint32_t at = address_in_cluster(shared_address(words), distance);
  meet_in_cluster();
  const long long begin = clock64();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int round = 0; round < kRounds; ++round) {
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        std::uint32_t word;
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
        asm volatile("add.u32 %0, %0, %1;" : "+r"(at) : "r"(word));
      }
    }
    cycles[blockIdx.x] = clock64() - begin + (at >> 31);
    sink[blockIdx.x % 1024] = at;
  }
  __syncwarp();
  meet_in_cluster();  // nobody leaves while others read its memory
#endif
}

// All threads of all blocks load 16 bytes each from the block `distance` ranks further.
__global__ void __launch_bounds__(kThreads)
    remote_loads(unsigned distance, std::uint32_t* sink, long long* cycles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(16) std::uint32_t words[4 * kThreads];
  for (unsigned i = threadIdx.x; i < 4 * kThreads; i += blockDim.x) words[i] = 0;
  std::uint32_t at[kLoads];  // chains, or the assembler drops loads
  for (std::uint32_t& address : at)
    address = address_in_cluster(shared_address(words) + 16 * threadIdx.x, distance);
  meet_in_cluster();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      std::uint32_t a, b, c, d;
      asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(at[i])
                   : "memory");
      asm volatile("add.u32 %0, %0, %1;" : "+r"(at[i]) : "r"(a | b | c | d));
    }
  }
  meet_in_cluster();
  const long long end = clock64();
  std::uint32_t sum = 0;
  for (const std::uint32_t address : at) sum += address;
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
#endif
}

// Launches with clusters of this size; 0: without the attribute.
template <class... Parameters, class... Arguments>
void launch_clusters(Bench& bench, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                     unsigned cluster, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = bench.stream();
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = cluster == 0 ? 0 : 1;
  PNSIM_CUDA(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

unsigned whole_clusters(int blocks, unsigned cluster) {
  return cluster == 0 ? static_cast<unsigned>(blocks)
                      : static_cast<unsigned>(blocks) / cluster * cluster;
}

constexpr unsigned kSizes[] = {2, 4, 8};

// Time of a launch of as many blocks as SMs (or 16 of them) in a graph.
std::vector<MicroValue> run_launch(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a cluster")) return out;
  for (const int waves : {1, 16}) {
    for (const unsigned cluster : {0u, 1u, 2u, 4u, 8u}) {
      const unsigned blocks = whole_clusters(waves * bench.sms(), cluster);
      const Sampled s = sample_in_graph(
          bench,
          [&] { launch_clusters(bench, nothing, blocks, kThreads, cluster, 0u, bench.sink()); },
          100);
      bench.add(out, "cluster_launch", {{"blocks_per_sm", "", waves}, {"cluster", "", cluster}}, s,
                "ns/launch");
    }
  }
  return out;
}

std::vector<MicroValue> run_barrier(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a cluster")) return out;
  constexpr int kBarriers = 256;
  for (const unsigned cluster : {1u, 2u, 4u, 8u}) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        launch_clusters(bench, cluster_barriers, cluster, kThreads, cluster, kBarriers,
                        bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "cluster_barrier", {{"cluster", "", cluster}}, s, "cycle", 1.0 / kBarriers);
  }
  return out;
}

// Distance 0 is a block's own memory by the same instruction.
std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a cluster")) return out;
  for (const unsigned cluster : kSizes) {
    for (unsigned distance = 0; distance < cluster; distance = distance == 0 ? 1 : 2 * distance) {
      const Sampled s = sample([&] {
        return bench.cycles_of([&] {
          launch_clusters(bench, remote_chain, cluster, 32, cluster, distance, bench.sink(),
                          bench.cycles());
        });
      });
      bench.add(out, "remote_shared_latency",
                {{"cluster", "", cluster}, {"distance", "", distance}}, s, "cycle",
                1.0 / (kLoads * kRounds));
    }
  }
  return out;
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "a cluster")) return out;
  for (const unsigned cluster : kSizes) {
    for (const unsigned distance : {0u, 1u}) {
      for (const int blocks_per_sm : {1, 2, 4}) {
        const unsigned blocks = whole_clusters(bench.sms() * blocks_per_sm, cluster);
        Sampled s = sample([&] {
          return bench.cycles_of([&] {
            launch_clusters(bench, remote_loads, blocks, kThreads, cluster, distance, bench.sink(),
                            bench.cycles());
          });
        });
        s.median = 16.0 * kThreads * kLoads * kRounds * blocks_per_sm / s.median;
        bench.add(out, "remote_shared_bandwidth",
                  {{"cluster", "", cluster},
                   {"distance", "", distance},
                   {"blocks_per_sm", "", blocks_per_sm}},
                  s, "byte/cycle/SM");
      }
    }
  }
  return out;
}

const bool kRegistered = register_microbenchmark("cluster_launch", run_launch) &&
                         register_microbenchmark("cluster_barrier", run_barrier) &&
                         register_microbenchmark("remote_shared_latency", run_latency) &&
                         register_microbenchmark("remote_shared_bandwidth", run_bandwidth);

}  // namespace
}  // namespace pnsim::gpu
