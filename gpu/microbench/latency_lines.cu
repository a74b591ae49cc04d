// Loads of one warp whose lanes access several lines. Each load's address depends on the result of
// the load before. It measures the extra time per additional line.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kSteps = 4096, kUnroll = 8;
constexpr int kApartBytes = 33 * 128;  // between consecutive lines

enum class Level { kL1, kL2 };

// `zeros` holds only zeros. Lane l reads word l of line l % lines, so no two words are in the same
// bank.
template <Level level>
__global__ void chase_lines(const std::uint32_t* zeros, int lines, std::uint32_t* sink,
                            long long* cycles) {
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint32_t* const from = zeros + (lane % lines) * (kApartBytes / 4) + lane;
  std::uint32_t at = 0;
  const auto steps = [&](int count) {
#pragma unroll 1
    for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        at = level == Level::kL1 ? __ldca(from + at) : __ldcg(from + at);
      }
    }
  };
  steps(kUnroll);
  __syncwarp();
  const long long begin = clock64() + at;
  steps(kSteps);
  __syncwarp();
  cycles[0] = clock64() - begin;
  sink[threadIdx.x] = at;
}

template <Level level>
void add_lines(Bench& bench, const char* name, std::vector<MicroValue>& out) {
  constexpr int kLanes = 32;
  DeviceWords zeros(kLanes * kApartBytes / 4);
  zeros.upload(std::vector<std::uint32_t>(kLanes * kApartBytes / 4, 0));
  for (const int lines : {1, 2, 4, 8, 16, 32}) {
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        chase_lines<level>
            <<<1, kLanes, 0, bench.stream()>>>(zeros.get(), lines, bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "latency_lines", {{"level", name}, {"lines", "", lines}}, s, "cycle",
              1.0 / kSteps);
  }
}

constexpr std::uint32_t kFarLines = 1u << 22;  // 512 MiB in lines of 128 bytes, far over L2
constexpr int kFarSteps = 1024;

// The same with lines that no earlier step has accessed, anywhere in `zeros`.
__global__ void chase_far_lines(const std::uint32_t* zeros, std::uint32_t lines,
                                std::uint32_t* sink, long long* cycles) {
  std::uint32_t at = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (std::uint32_t step = 0; step < kFarSteps; ++step) {
    const std::uint32_t line = (step * 32 + threadIdx.x % lines) * 2654435761u & (kFarLines - 1);
    at = __ldcg(zeros + at + static_cast<std::size_t>(line) * 32 + threadIdx.x);
  }
  __syncwarp();
  cycles[0] = clock64() - begin + at;
  sink[threadIdx.x] = at;
}

void add_far_lines(Bench& bench, std::vector<MicroValue>& out) {
  constexpr int kLanes = 32;
  constexpr std::size_t kFlushWords = 64 << 20;  // 256 MiB, more than L2 holds
  DeviceWords zeros(std::size_t{kFarLines} * 32), flush(kFlushWords);
  zeros.fill(0, bench.stream());
  for (const int lines : {1, 2, 4, 8, 16, 32}) {
    const Sampled s = sample(
        [&] {
          flush.fill(1, bench.stream());
          return bench.cycles_of([&] {
            chase_far_lines<<<1, kLanes, 0, bench.stream()>>>(
                zeros.get(), static_cast<std::uint32_t>(lines), bench.sink(), bench.cycles());
          });
        },
        7);
    bench.add(out, "latency_lines", {{"level", "dram"}, {"lines", "", lines}}, s, "cycle",
              1.0 / kFarSteps);
  }
}

std::vector<MicroValue> run_lines(Bench& bench) {
  std::vector<MicroValue> out;
  add_lines<Level::kL1>(bench, "l1", out);
  add_lines<Level::kL2>(bench, "l2", out);
  add_far_lines(bench, out);
  return out;
}

const bool kRegistered = register_microbenchmark("latency_lines", run_lines);

}  // namespace
}  // namespace pnsim::gpu
