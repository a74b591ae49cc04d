// Code that neither the SMs nor L2 hold when a launch begins, so that DRAM reads it: how much
// longer launches take, as CUPTI reports it, than where L2 still holds their code.
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/code_blocks.cuh"
#include "gpu/microbench/recorded_launches.cuh"
#include "gpu/microbench/start_kernels.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kRounds = 40, kJumps = 16;
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
PNSIM_DRAM_CODE_KERNEL(dram_straight_4096, PNSIM_4(PNSIM_FMA1024))
PNSIM_DRAM_CODE_KERNEL(dram_16_jumps, PNSIM_JUMPS_OVER_252)
PNSIM_DRAM_CODE_KERNEL(dram_32_jumps, PNSIM_JUMPS_OVER_252 PNSIM_JUMPS_OVER_252)

using Kernel = void (*)(float, float, std::uint32_t, float*);
struct Code {
  const char* name;
  Kernel kernel;
};
constexpr Code kCodes[] = {{"dram_straight_256", dram_straight_256},
                           {"dram_straight_1024", dram_straight_1024},
                           {"dram_straight_4096", dram_straight_4096},
                           {"dram_16_jumps", dram_16_jumps},
                           {"dram_32_jumps", dram_32_jumps}};

// Reads all of `in`, so that L2 holds nothing else.
__global__ void read_all(const std::uint32_t* in, std::uint32_t never, float* sink) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (in[i] == never) sink[0] = 1;
}

// Each code twice a round: behind other data and other code, then behind other code alone.
void launch_kernels(const Bench& bench) {
  DeviceWords in(kDataWords);
  PNSIM_CUDA(cudaMemset(in.get(), 0, kDataWords * sizeof(std::uint32_t)));
  auto* const sink = reinterpret_cast<float*>(bench.sink());
  const auto blocks = static_cast<unsigned>(bench.sms());
  for (int round = 0; round < kRounds; ++round) {
    for (const Code& code : kCodes) {
      for (const bool has_lost : {true, false}) {
        if (has_lost) read_all<<<kDataWords / kThreads, kThreads>>>(in.get(), 7, sink);
        straight<kEvicting><<<blocks, 32>>>(1.0f, 1.0f, 1e-8f, sink);
        code.kernel<<<blocks, 32>>>(1.0f, 1e-8f, 0, sink);
        PNSIM_CUDA(cudaGetLastError());
      }
    }
  }
  PNSIM_CUDA(cudaDeviceSynchronize());
}

// How much longer the launches with lost code take: mean, and the noise of the single differences.
Sampled extra_ns(const std::vector<RecordedLaunch>& launches, const char* name) {
  std::vector<double> ns;
  for (const RecordedLaunch& launch : launches) {
    if (launch.kernel.find(name) != std::string::npos) ns.push_back(1000 * launch.time_us);
  }
  if (ns.size() != 2 * kRounds) fail_unavailable("the recorder missed launches");
  std::vector<double> extra;
  for (std::size_t i = 0; i < ns.size(); i += 2) extra.push_back(ns[i] - ns[i + 1]);
  return trimmed(extra);
}

// (a - b) / count.
Sampled share(Sampled a, const Sampled& b, int count) {
  a.median = (a.median - b.median) / count;
  return a;
}

void add_values(Bench& bench, const std::vector<RecordedLaunch>& launches,
                std::vector<MicroValue>& out) {
  const Sampled small = extra_ns(launches, "dram_straight_256"),
                middle = extra_ns(launches, "dram_straight_1024"),
                large = extra_ns(launches, "dram_straight_4096"),
                near_jumps = extra_ns(launches, "dram_16_jumps"),
                all_jumps = extra_ns(launches, "dram_32_jumps");
  Sampled start = middle;
  start.median = (small.median + middle.median + large.median) / 3;
  const auto add = [&](const char* part, const Sampled& value, const char* unit) {
    bench.add(out, "code_from_dram", {{"part", part}}, value, unit);
  };
  add("start", start, "ns/launch");
  add("jump", share(near_jumps, large, kJumps), "ns/jump");          // 64 KiB each
  add("far_jump", share(all_jumps, near_jumps, kJumps), "ns/jump");  // the second 64 KiB
}

std::vector<MicroValue> run(Bench& bench) {
  if (is_recorded()) {
    launch_kernels(bench);
    bench.skip("this process is recorded already: its launches are made without a value");
    return {};
  }
  std::vector<MicroValue> out;
  try {
    add_values(bench, launches_of_second_process("code_from_dram"), out);
  } catch (const Error& error) {
    bench.skip(error.what());
  }
  return out;
}

const bool kRegistered = register_microbenchmark("code_from_dram", run);

}  // namespace
}  // namespace pnsim::gpu
