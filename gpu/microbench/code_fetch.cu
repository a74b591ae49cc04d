// Code that the SMs execute for the first time, after another kernel has taken its place in their
// instruction caches: what a line of straight code and what a jump cost beyond their execution, and
// how much code of other kernels it takes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/code_blocks.cuh"
#include "gpu/microbench/start_kernels.cuh"
#include "simulator/base/error.h"

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

template <int instructions>
void launch_straight(const Bench& bench) {
  straight<instructions><<<static_cast<unsigned>(bench.sms()), 32, 0, bench.stream()>>>(
      1.0f, 1.0f, 1e-8f, reinterpret_cast<float*>(bench.sink()));
}

void launch_code(const Bench& bench, CodeKernel code) {
  code<<<static_cast<unsigned>(bench.sms()), 32, 0, bench.stream()>>>(
      1.0f, 1e-8f, 0, bench.cycles(), reinterpret_cast<float*>(bench.sink()));
}

// How much longer the first pass of the code launched last takes than its last one: mean over the
// SMs.
double first_time_cycles(const Bench& bench) {
  const auto blocks = static_cast<unsigned>(bench.sms());
  PNSIM_CUDA(cudaGetLastError());
  PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
  std::vector<long long> cycles(std::size_t{kPasses} * blocks);
  PNSIM_CUDA(cudaMemcpy(cycles.data(), bench.cycles(), cycles.size() * sizeof cycles[0],
                        cudaMemcpyDeviceToHost));
  const auto first = cycles.begin(), second = first + blocks, last = cycles.end();
  const auto sum = [](auto from, auto to) { return std::accumulate(from, to, 0.0); };
  return (sum(first, second) - sum(last - blocks, last)) / blocks;
}

double cycles_after_eviction(const Bench& bench, CodeKernel code) {
  launch_straight<kEvicting>(bench);
  launch_code(bench, code);
  return first_time_cycles(bench);
}

std::vector<MicroValue> run_lines(Bench& bench) {
  std::vector<MicroValue> out;
  const auto straight = [&](int instructions, int behind, CodeKernel code) {
    bench.add(out, "code_fetch_line",
              {{"instructions", "", instructions}, {"behind_instructions", "", behind}},
              sample([&] { return cycles_after_eviction(bench, code); }), "cycle/line",
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
              sample([&] { return cycles_after_eviction(bench, code); }), "cycle/jump",
              1.0 / kJumps);
  };
  jumps(60, 512, jumps_over_60_behind_512);
  jumps(60, 3072, jumps_over_60_behind_3072);
  jumps(60, 6144, jumps_over_60_behind_6144);
  return out;
}

// Other kernels, whose code has 4 KiB each: different ones, so that none finds its own.
constexpr int kMostOthers = 16;
constexpr int kOtherInstructions = 256;

template <int... i>
void launch_others(const Bench& bench, int count, std::integer_sequence<int, i...>) {
  ((i < count ? launch_straight<kOtherInstructions + 4 * i>(bench) : void()), ...);
}

// [n] How much longer straight_1024 (16 KiB) takes the first time, launched again after n others.
std::vector<double> cycles_behind_others(const Bench& bench) {
  std::vector<double> out;
  for (int others = 0; others <= kMostOthers; ++others) {
    out.push_back(sample([&] {
                    launch_code(bench, straight_1024);
                    launch_others(bench, others, std::make_integer_sequence<int, kMostOthers>{});
                    launch_code(bench, straight_1024);
                    return first_time_cycles(bench);
                  }).median);
  }
  return out;
}

// Bytes of code, of the kernel and of the others since, with which half of its lines are fetched
// anew. Only multiply-adds are counted, so the kernels have some 5 % more.
double kept_bytes(const Bench& bench) {
  constexpr double kInstructionBytes = 16;
  const std::vector<double> cycles = cycles_behind_others(bench);
  const double half = cycles.back() / 2;
  const auto over = std::find_if(cycles.begin(), cycles.end(), [&](double c) { return c > half; });
  if (over == cycles.begin() || half <= 0) fail_unavailable("other kernels' code costs nothing");
  const double before = over[-1], others = static_cast<double>(over - cycles.begin() - 1) +
                                           (half - before) / (*over - before);
  return kInstructionBytes * (1024 + others * kOtherInstructions);
}

std::vector<MicroValue> run_kept(Bench& bench) {
  std::vector<MicroValue> out;
  try {
    bench.add(out, "code_kept", {}, sample([&] { return kept_bytes(bench); }, 5), "byte");
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUnavailable) throw;
    bench.skip(error.what());
  }
  return out;
}

const bool kRegistered = register_microbenchmark("code_fetch_line", run_lines) &&
                         register_microbenchmark("code_fetch_jump", run_jumps) &&
                         register_microbenchmark("code_kept", run_kept);

}  // namespace
}  // namespace pnsim::gpu
