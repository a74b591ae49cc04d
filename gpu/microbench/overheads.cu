// Overheads besides instructions and data: barriers, dispatch of blocks, launches, transfers.
#include <memory>

#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kBarriers = 256;

__global__ void barriers(long long* cycles) {
  __syncthreads();
  const long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < kBarriers; ++i) __syncthreads();
  const long long stop = clock64();
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

std::vector<MicroValue> run_barrier(Bench& bench) {
  std::vector<MicroValue> out;
  for (const int warps : {1, 2, 4, 8, 16, 24, 32}) {
    const Sampled s = sample([&] {
      return bench.cycles_of(
          [&] { barriers<<<1, 32 * warps, 0, bench.stream()>>>(bench.cycles()); });
    });
    bench.add(out, "barrier", {{"warps", "", warps}}, s, "cycle", 1.0 / kBarriers);
  }
  return out;
}

__global__ void nothing() {}

std::vector<MicroValue> run_dispatch(Bench& bench) {
  constexpr unsigned kBlocks = 1u << 20;
  std::vector<MicroValue> out;
  for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    const Sampled s = sample(
        [&] {
          return bench.ns_of([&] { nothing<<<kBlocks, threads, 0, bench.stream()>>>(); }) / kBlocks;
        },
        7);
    bench.add(out, "block_dispatch", {{"threads", "", threads}}, s, "ns/block");
  }
  return out;
}

std::vector<MicroValue> run_launch(Bench& bench) {
  constexpr int kLaunches = 1000;
  std::vector<MicroValue> out;
  const auto launch_all = [&] {
    for (int i = 0; i < kLaunches; ++i) nothing<<<1, 32, 0, bench.stream()>>>();
  };
  bench.add(out, "launch", {{"from", "stream"}}, sample([&] { return bench.ns_of(launch_all); }),
            "ns/launch", 1.0 / kLaunches);
  for (const int blocks : {1, bench.sms()}) {
    const Graph graph(bench.stream(), [&] {
      for (int i = 0; i < kLaunches; ++i) {
        nothing<<<static_cast<unsigned>(blocks), 256, 0, bench.stream()>>>();
      }
    });
    const Sampled s = sample([&] { return bench.ns_of([&] { graph.launch(bench.stream()); }); });
    bench.add(out, "launch", {{"from", "graph"}, {"blocks", "", blocks}}, s, "ns/launch",
              1.0 / kLaunches);
  }
  return out;
}

struct PinnedMemory {
  explicit PinnedMemory(std::size_t bytes) { PNSIM_CUDA(cudaMallocHost(&data, bytes)); }
  ~PinnedMemory() { cudaFreeHost(data); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* data = nullptr;
};

std::vector<MicroValue> run_transfer(Bench& bench) {
  constexpr std::size_t kBytes = 64u << 20;
  std::vector<MicroValue> out;
  const DeviceWords device(kBytes / 4);
  const PinnedMemory pinned(kBytes);
  std::vector<char> pageable(kBytes, 1);
  struct Way {
    const char* memory;
    void* host;
  };
  for (const Way& way : {Way{"pageable", pageable.data()}, Way{"pinned", pinned.data}}) {
    for (const bool up : {true, false}) {
      const Sampled s = sample(
          [&] {
            const double ns = bench.ns_of([&] {
              PNSIM_CUDA(cudaMemcpyAsync(
                  up ? device.get() : way.host, up ? way.host : device.get(), kBytes,
                  up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, bench.stream()));
            });
            return static_cast<double>(kBytes) / ns;
          },
          7);
      bench.add(out, "transfer",
                {{"memory", way.memory}, {"direction", up ? "to_device" : "to_host"}}, s, "GB/s");
    }
  }
  return out;
}

const bool kRegistered = register_microbenchmark("barrier", run_barrier) &&
                         register_microbenchmark("block_dispatch", run_dispatch) &&
                         register_microbenchmark("launch", run_launch) &&
                         register_microbenchmark("transfer", run_transfer);

}  // namespace
}  // namespace pnsim::gpu
