// Code that neither the SMs nor L2 hold when a launch begins, so that DRAM reads it: how much
// longer launches take, as CUPTI reports it, than where L2 still holds their code.
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/code_blocks.cuh"
#include "gpu/microbench/recorded_launches.cuh"
#include "gpu/microbench/start_kernels.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kRounds = 100;
constexpr int kEvicting = 16384;               // instructions: twice the code that an SM keeps
constexpr std::size_t kDataWords = 64u << 20;  // 256 MiB, several times L2
constexpr unsigned kThreads = 256;

// One warp executes `code` once. `zero` is 0, which the compiler does not know.
#define PNSIM_DRAM_CODE_KERNEL(name, code)                                                     \
  __global__ void name(float a, float b, std::uint32_t zero, float* sink) {                    \
    float chain[4] = {a, a + 1, a + 2, a + 3};                                                 \
    std::uint32_t none;                                                                        \
    asm volatile("{\n .reg .pred %%over;\n setp.eq.u32 %%over, %7, 0;\n mov.u32 %0, 0;\n" code \
                 "}\n"                                                                         \
                 : "=r"(none), "+f"(chain[0]), "+f"(chain[1]), "+f"(chain[2]), "+f"(chain[3])  \
                 : "f"(a), "f"(b), "r"(zero));                                                 \
    if (chain[0] + chain[1] + chain[2] + chain[3] == 0.123f) sink[none] = chain[0];            \
  }

PNSIM_DRAM_CODE_KERNEL(dram_straight_256, PNSIM_FMA256)
PNSIM_DRAM_CODE_KERNEL(dram_straight_1024, PNSIM_FMA1024)
PNSIM_DRAM_CODE_KERNEL(dram_16_jumps, PNSIM_JUMPS_OVER_252)
PNSIM_DRAM_CODE_KERNEL(dram_32_jumps, PNSIM_JUMPS_OVER_252 PNSIM_JUMPS_OVER_252)
constexpr int kFarJumps = 16;  // of dram_32_jumps, beyond those of dram_16_jumps: behind 64 KiB

using Kernel = void (*)(float, float, std::uint32_t, float*);
struct Code {
  const char* name;
  Kernel kernel;
};
constexpr Code kCodes[] = {{"dram_straight_256", dram_straight_256},
                           {"dram_straight_1024", dram_straight_1024},
                           {"dram_16_jumps", dram_16_jumps},
                           {"dram_32_jumps", dram_32_jumps}};

// Launches whose code was evicted from L2 have so much shared memory, to tell them from the others.
constexpr unsigned kEvictedMark = 16;

// Reads all of `in`, so that L2 holds nothing else.
__global__ void read_all(const std::uint32_t* in, std::uint32_t never, float* sink) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (in[i] == never) sink[0] = 1;
}

// Each code twice a round: after other data and other code, then after other code alone.
void launch_kernels(const Bench& bench) {
  DeviceWords in(kDataWords);
  PNSIM_CUDA(cudaMemset(in.get(), 0, kDataWords * sizeof(std::uint32_t)));
  auto* const sink = reinterpret_cast<float*>(bench.sink());
  const auto blocks = static_cast<unsigned>(bench.sms());
  for (int round = 0; round < kRounds; ++round) {
    for (const Code& code : kCodes) {
      for (const unsigned mark : {kEvictedMark, 0u}) {
        if (mark != 0) read_all<<<kDataWords / kThreads, kThreads>>>(in.get(), 7, sink);
        straight<kEvicting><<<blocks, 32>>>(1.0f, 1.0f, 1e-8f, sink);
        code.kernel<<<blocks, 32, mark>>>(1.0f, 1e-8f, 0, sink);
        PNSIM_CUDA(cudaGetLastError());
      }
    }
  }
  PNSIM_CUDA(cudaDeviceSynchronize());
}

// [round] how many nanoseconds longer the launch takes whose code was evicted from L2.
std::vector<double> extra_ns(const std::vector<RecordedLaunch>& launches, const char* name) {
  std::vector<double> evicted, kept;
  for (const RecordedLaunch& launch : launches) {
    if (launch.kernel.find(name) == std::string::npos) continue;
    (launch.shared_bytes == 0 ? kept : evicted).push_back(1000 * launch.time_us);
  }
  if (evicted.size() != kRounds || kept.size() != kRounds)
    fail_unavailable("the recorder missed launches");
  for (std::size_t i = 0; i < kept.size(); ++i) evicted[i] -= kept[i];
  return evicted;
}

// [round] (a + factor * b) / count.
std::vector<double> combined(std::vector<double> a, const std::vector<double>& b, double factor,
                             double count) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] + factor * b[i]) / count;
  return a;
}

std::vector<MicroValue> run(Bench& bench) {
  using Launches = std::vector<RecordedLaunch>;
  const auto add = [&](const Launches& launches, std::vector<MicroValue>& out) {
    const auto extra = [&](const char* name) { return extra_ns(launches, name); };
    bench.add(out, "code_from_dram", {{"part", "start"}},
              trimmed(combined(extra("dram_straight_256"), extra("dram_straight_1024"), 1, 2)),
              "ns/launch");
    bench.add(out, "code_from_dram", {{"part", "far_jump"}},
              trimmed(combined(extra("dram_32_jumps"), extra("dram_16_jumps"), -1, kFarJumps)),
              "ns/jump");
  };
  return values_of_recorded(
      bench, "code_from_dram", [&] { launch_kernels(bench); }, add);
}

const bool kRegistered = register_microbenchmark("code_from_dram", run);

}  // namespace
}  // namespace pnsim::gpu
