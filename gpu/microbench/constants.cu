// Constants of the module (__constant__): the latency of a constant load, and the extra time of a
// kernel that accesses cold constants. Only this module has constants, so that other kernels do not
// pay for them.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kConstants = 4096;
__constant__ std::uint32_t kChain[kConstants];  // zeros

constexpr int kSteps = 256;

__global__ void constants(std::uint32_t at, std::uint32_t* sink, long long* cycles) {
  for (int i = 0; i < kSteps; ++i) at = kChain[at];
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kSteps; ++i) at = kChain[at];
  sink[threadIdx.x] = at;
  cycles[0] = clock64() - begin;
}

std::vector<MicroValue> run_constants(Bench& bench) {
  std::vector<MicroValue> out;
  const Sampled s = sample([&] {
    return bench.cycles_of(
        [&] { constants<<<1, 32, 0, bench.stream()>>>(0, bench.sink(), bench.cycles()); });
  });
  bench.add(out, "latency_constant", {}, s, "cycle", 1.0 / kSteps);
  return out;
}

__global__ void nothing(std::uint32_t*) {}

std::vector<MicroValue> run_start(Bench& bench) {
  std::vector<MicroValue> out;
  for (const int blocks : {1, bench.sms()}) {
    const Sampled s = sample_in_graph(bench, [&] {
      nothing<<<static_cast<unsigned>(blocks), 256, 0, bench.stream()>>>(bench.sink());
    });
    bench.add(out, "constant_start", {{"blocks", "", blocks}}, s, "ns/launch");
  }
  return out;
}

// Accesses that many lines one after the other, each for the first time in the launch.
template <int lines>
__global__ void first_lines(int stride_words, std::uint32_t never, std::uint32_t* out) {
  std::uint32_t at = 0;
#pragma unroll
  for (int i = 0; i < lines; ++i) at = kChain[(at + i * stride_words) % kConstants];
  if (at == never) out[threadIdx.x] = at;
}

// Per line, without the first two lines.
std::vector<MicroValue> run_lines(Bench& bench) {
  constexpr int kFew = 2, kMany = 18;
  std::vector<MicroValue> out;
  const auto ns_of = [&](auto kernel, int stride_words) {
    return sample_in_graph(bench, [&] {
      kernel<<<static_cast<unsigned>(bench.sms()), 32, 0, bench.stream()>>>(stride_words, 7,
                                                                            bench.sink());
    });
  };
  for (const int stride_bytes : {64, 128, 256}) {
    const Sampled few = ns_of(first_lines<kFew>, stride_bytes / 4);
    Sampled s = ns_of(first_lines<kMany>, stride_bytes / 4);
    s.median = (s.median - few.median) / (kMany - kFew);
    bench.add(out, "constant_lines", {{"stride_bytes", "", stride_bytes}}, s, "ns/line");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("latency_constant", run_constants) &&
                         register_microbenchmark("constant_start", run_start) &&
                         register_microbenchmark("constant_lines", run_lines);

}  // namespace
}  // namespace pnsim::gpu
