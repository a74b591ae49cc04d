// What CUPTI's instrumentation adds to each block, where blocks take each other's place on an SM:
// launches with one and with many blocks for each SM, recorded with it and without (gpu/record.h).
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/recorded_launches.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kLaunches = 40;
constexpr int kRounds = 65;  // blocks for each SM, one at a time
constexpr int kSteps = 200;  // of arithmetic: a block is longer than its dispatch
constexpr unsigned kThreads[] = {256, 1024};

__global__ void short_blocks(float a, float b, float* sink) {
  extern __shared__ float unused[];  // so much that one block fits on an SM
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < kSteps; ++i) x = fmaf(x, a, b);
  if (x == -1.0f) sink[0] = unused[0];
}

void launch_kernels(const Bench& bench) {
  int shared_bytes = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  PNSIM_CUDA(cudaFuncSetAttribute(short_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes));
  for (int i = 0; i < kLaunches; ++i) {
    for (const unsigned threads : kThreads) {
      for (const int rounds : {1, kRounds}) {
        short_blocks<<<static_cast<unsigned>(bench.sms() * rounds), threads, shared_bytes>>>(
            1.0001f, 0.5f, reinterpret_cast<float*>(bench.sink()));
        PNSIM_CUDA(cudaGetLastError());
      }
    }
  }
  PNSIM_CUDA(cudaDeviceSynchronize());
}

// [launch] nanoseconds from one block of an SM to the next, of blocks of so many threads.
std::vector<double> ns_per_block(const std::vector<RecordedLaunch>& launches, unsigned threads,
                                 int sms) {
  std::vector<double> one, many;
  for (const RecordedLaunch& launch : launches) {
    if (launch.kernel.find("short_blocks") == std::string::npos ||
        launch.block[0] != static_cast<std::int64_t>(threads))
      continue;
    (launch.grid[0] == sms ? one : many).push_back(1000 * launch.time_us);
  }
  if (one.size() != kLaunches || many.size() != kLaunches)
    fail_unavailable("the recorder missed launches");
  const double start_ns = median_of(one);  // some serial records are a microsecond too long
  for (double& ns : many) ns = (ns - start_ns) / (kRounds - 1);
  return many;
}

std::vector<MicroValue> run(Bench& bench) {
  using Launches = std::vector<RecordedLaunch>;
  const auto add = [&](const Launches& instrumented, std::vector<MicroValue>& out) {
    const Launches serial =
        record_microbenchmark("recorded_blocks", find_recorder(), RecordKind::kSerial);
    for (const unsigned threads : kThreads) {
      const double without_ns = median_of(ns_per_block(serial, threads, bench.sms()));
      std::vector<double> more = ns_per_block(instrumented, threads, bench.sms());
      for (double& ns : more) ns -= without_ns;
      bench.add(out, "recorded_blocks", {{"threads", "", static_cast<std::int64_t>(threads)}},
                summary(more), "ns/block");
    }
  };
  return values_of_recorded(
      bench, "recorded_blocks", [&] { launch_kernels(bench); }, add);
}

const bool kRegistered = register_microbenchmark("recorded_blocks", run);

}  // namespace
}  // namespace pnsim::gpu
