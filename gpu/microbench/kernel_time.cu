// What a kernel takes on the GPU from its start to its end, as CUPTI reports it: launched into a
// stream, between launches of another kernel, as programs launch kernels.
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/recorded_launches.cuh"
#include "gpu/microbench/start_kernels.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kLaunches = 400;

struct TimedTouch {
  Touch touch;
  const char* name;
};
constexpr TimedTouch kTouches[] = {{Touch::kNothing, "nothing"},
                                   {Touch::kIndex, "index"},
                                   {Touch::kLoad, "load"},
                                   {Touch::kStore, "store"},
                                   {Touch::kCopy, "copy"}};

// Another kernel before each: none follows one of its own.
template <Touch touch>
void launch_one(const Bench& bench, unsigned blocks, const DeviceWords& in,
                const DeviceWords& target) {
  straight<64 + 64 * static_cast<int>(touch)>
      <<<blocks, 32>>>(1.0f, 1.0f, 1e-8f, reinterpret_cast<float*>(bench.sink()));
  start<touch><<<blocks, kThreads>>>(in.get(), target.get(), 7);
  PNSIM_CUDA(cudaGetLastError());
}

// Under the recorder: the launches, without a value. Kinds and grids take turns, as in programs.
void launch_kernels(const Bench& bench) {
  DeviceWords in(kThreads * 1024), target(kThreads * 1024);
  in.upload(std::vector<std::uint32_t>(in.size(), 0));
  for (int i = 0; i < kLaunches; ++i) {
    for (const unsigned blocks : {1u, static_cast<unsigned>(bench.sms())}) {
      launch_one<Touch::kNothing>(bench, blocks, in, target);
      launch_one<Touch::kIndex>(bench, blocks, in, target);
      launch_one<Touch::kLoad>(bench, blocks, in, target);
      launch_one<Touch::kStore>(bench, blocks, in, target);
      launch_one<Touch::kCopy>(bench, blocks, in, target);
    }
  }
  PNSIM_CUDA(cudaDeviceSynchronize());
}

Sampled time_of(const std::vector<RecordedLaunch>& launches, Touch touch, std::int64_t blocks) {
  const std::string kind = "Touch)" + std::to_string(static_cast<int>(touch)) + ">";
  std::vector<double> ns;
  for (const RecordedLaunch& launch : launches) {
    if (launch.kernel.find(kind) == std::string::npos || launch.grid[0] != blocks) continue;
    ns.push_back(1000 * launch.time_us);
  }
  if (ns.size() < kLaunches) fail_unavailable("the recorder missed launches");
  return trimmed(ns);
}

std::vector<MicroValue> run_times(Bench& bench) {
  using Launches = std::vector<RecordedLaunch>;
  const auto add = [&](const Launches& launches, std::vector<MicroValue>& out) {
    for (const TimedTouch& timed : kTouches) {
      for (const int blocks : {1, bench.sms()}) {
        bench.add(out, "kernel_time",
                  {{"touch", timed.name}, {"blocks", "", static_cast<std::int64_t>(blocks)}},
                  time_of(launches, timed.touch, blocks), "ns/launch");
      }
    }
  };
  return values_of_recorded(
      bench, "kernel_time", [&] { launch_kernels(bench); }, add);
}

const bool kRegistered = register_microbenchmark("kernel_time", run_times);

}  // namespace
}  // namespace pnsim::gpu
