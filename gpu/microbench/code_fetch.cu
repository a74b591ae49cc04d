// Code that the SMs execute for the first time, after another kernel has taken its place in their
// instruction caches: what a line of straight code and what a jump cost beyond their execution.
#include <numeric>

#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/code_blocks.cuh"
#include "gpu/microbench/start_kernels.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kInstructionsPerLine = 8;  // of 16 bytes; a line has 128
constexpr int kJumps = 16, kPasses = 3;
constexpr int kEvicting = 16384;  // instructions: twice the largest instruction cache of an SM

#define PNSIM_FMA3072 PNSIM_FMA1024 PNSIM_FMA1024 PNSIM_FMA1024

// Each warp jumps over `skipped` and executes `code`, three times. cycles[pass][block]: what `code`
// took. `zero` is 0, which the compiler does not know.
#define PNSIM_CODE_KERNEL(name, skipped, code)                                                 \
  __global__ void name(float a, float b, std::uint32_t zero, long long* cycles, float* sink) { \
    float chain[4] = {a, a + 1, a + 2, a + 3};                                                 \
    _Pragma("unroll 1") for (int pass = 0; pass < kPasses; ++pass) {                           \
      std::uint32_t took;                                                                      \
      asm volatile(                                                                            \
          "{\n .reg .pred %%over;\n .reg .u32 %%begin;\n setp.eq.u32 %%over, %7, 0;\n"         \
          "@%%over bra BEGIN;\n" skipped "BEGIN:\n mov.u32 %%begin, %%clock;\n" code           \
          "mov.u32 %0, %%clock;\n sub.u32 %0, %0, %%begin;\n}\n"                               \
          : "=r"(took), "+f"(chain[0]), "+f"(chain[1]), "+f"(chain[2]), "+f"(chain[3])         \
          : "f"(a), "f"(b), "r"(zero));                                                        \
      if (threadIdx.x == 0) cycles[pass * gridDim.x + blockIdx.x] = took;                      \
    }                                                                                          \
    if (chain[0] + chain[1] + chain[2] + chain[3] == 0.123f) sink[threadIdx.x] = chain[0];     \
  }

PNSIM_CODE_KERNEL(straight_256, "", PNSIM_FMA256)
PNSIM_CODE_KERNEL(straight_512, "", PNSIM_FMA512)
PNSIM_CODE_KERNEL(straight_1024, "", PNSIM_FMA1024)
PNSIM_CODE_KERNEL(straight_1024_behind_512, PNSIM_FMA512, PNSIM_FMA1024)
PNSIM_CODE_KERNEL(straight_1024_behind_3072, PNSIM_FMA3072, PNSIM_FMA1024)
PNSIM_CODE_KERNEL(straight_1024_behind_6144, PNSIM_FMA3072 PNSIM_FMA3072, PNSIM_FMA1024)
PNSIM_CODE_KERNEL(jumps_over_60_behind_512, PNSIM_FMA512, PNSIM_JUMPS_OVER_60)
PNSIM_CODE_KERNEL(jumps_over_60_behind_3072, PNSIM_FMA3072, PNSIM_JUMPS_OVER_60)
PNSIM_CODE_KERNEL(jumps_over_60_behind_6144, PNSIM_FMA3072 PNSIM_FMA3072, PNSIM_JUMPS_OVER_60)

using CodeKernel = void (*)(float, float, std::uint32_t, long long*, float*);

// How much longer the first pass takes than the last one: mean over the SMs.
double first_time_cycles(const Bench& bench, CodeKernel code) {
  auto* const sink = reinterpret_cast<float*>(bench.sink());
  const auto blocks = static_cast<unsigned>(bench.sms());
  straight<kEvicting><<<blocks, 32, 0, bench.stream()>>>(1.0f, 1.0f, 1e-8f, sink);
  code<<<blocks, 32, 0, bench.stream()>>>(1.0f, 1e-8f, 0, bench.cycles(), sink);
  PNSIM_CUDA(cudaGetLastError());
  PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
  std::vector<long long> cycles(std::size_t{kPasses} * blocks);
  PNSIM_CUDA(cudaMemcpy(cycles.data(), bench.cycles(), cycles.size() * sizeof cycles[0],
                        cudaMemcpyDeviceToHost));
  const auto first = cycles.begin(), second = first + blocks, last = cycles.end();
  const auto sum = [](auto from, auto to) { return std::accumulate(from, to, 0.0); };
  return (sum(first, second) - sum(last - blocks, last)) / blocks;
}

std::vector<MicroValue> run_lines(Bench& bench) {
  std::vector<MicroValue> out;
  const auto straight = [&](int instructions, int behind, CodeKernel code) {
    bench.add(out, "code_fetch_line",
              {{"instructions", "", instructions}, {"behind_instructions", "", behind}},
              sample([&] { return first_time_cycles(bench, code); }), "cycle/line",
              1.0 * kInstructionsPerLine / instructions);
  };
  straight(256, 0, straight_256);
  straight(512, 0, straight_512);
  straight(1024, 0, straight_1024);
  straight(1024, 512, straight_1024_behind_512);
  straight(1024, 3072, straight_1024_behind_3072);
  straight(1024, 6144, straight_1024_behind_6144);
  return out;
}

std::vector<MicroValue> run_jumps(Bench& bench) {
  std::vector<MicroValue> out;
  const auto jumps = [&](int over, int behind, CodeKernel code) {
    bench.add(out, "code_fetch_jump",
              {{"over_instructions", "", over}, {"behind_instructions", "", behind}},
              sample([&] { return first_time_cycles(bench, code); }), "cycle/jump", 1.0 / kJumps);
  };
  jumps(60, 512, jumps_over_60_behind_512);
  jumps(60, 3072, jumps_over_60_behind_3072);
  jumps(60, 6144, jumps_over_60_behind_6144);
  return out;
}

const bool kRegistered = register_microbenchmark("code_fetch_line", run_lines) &&
                         register_microbenchmark("code_fetch_jump", run_jumps);

}  // namespace
}  // namespace pnsim::gpu
