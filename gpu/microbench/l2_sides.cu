// Whether the SMs see L2 from different sides: in a GPU whose L2 has two partitions, a line that is
// near to some SMs is far from the others. A few SMs load the same single lines, one SM at a time.
// Over the lines, the latencies of two SMs of different sides have a negative correlation.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kLines = 128, kSteps = 32;
constexpr int kLineWords = 1024;  // from one line to the next
constexpr int kSms = 8;           // that are compared

__device__ unsigned this_sm() {
  unsigned out;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(out));
  return out;
}

// One thread of SM `sm` follows each line, which holds its own address. `claimed` lets one block of
// that SM work.
__global__ void load_lines(unsigned sm, std::uint64_t lines, std::uint32_t* claimed,
                           std::uint32_t* sink, long long* cycles) {
  if (this_sm() != sm || atomicExch(claimed, 1u) != 0) return;
  for (int line = 0; line < kLines; ++line) {
    std::uint64_t at = lines + 4ull * kLineWords * static_cast<unsigned>(line);
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));  // brings it to L2
    const long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < kSteps; ++i) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    sink[0] = static_cast<std::uint32_t>(at);
    cycles[line] = clock64() - begin;
  }
}

__global__ void link_lines(std::uint64_t lines) {
  const std::uint64_t at = lines + 4ull * kLineWords * threadIdx.x;
  *reinterpret_cast<std::uint64_t*>(at) = at;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sum_a = 0, sum_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum_a += a[i], sum_b += b[i];
  double both = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] - sum_a / n, y = b[i] - sum_b / n;
    both += x * y, of_a += x * x, of_b += y * y;
  }
  return of_a > 0 && of_b > 0 ? both / std::sqrt(of_a * of_b) : 0;
}

// The smallest latency of three for each line.
std::vector<double> latencies_of(Bench& bench, unsigned sm, const DeviceWords& lines,
                                 DeviceWords& claimed) {
  std::vector<double> out(kLines, 1e300);
  for (int round = 0; round < 3; ++round) {
    claimed.fill(0, bench.stream());
    load_lines<<<4 * static_cast<unsigned>(bench.sms()), 1, 0, bench.stream()>>>(
        sm, reinterpret_cast<std::uint64_t>(lines.get()), claimed.get(), bench.sink(),
        bench.cycles());
    PNSIM_CUDA(cudaGetLastError());
    PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
    std::vector<long long> cycles(kLines);
    PNSIM_CUDA(cudaMemcpy(cycles.data(), bench.cycles(), cycles.size() * sizeof(long long),
                          cudaMemcpyDeviceToHost));
    for (int line = 0; line < kLines; ++line) {
      const auto at = static_cast<std::size_t>(line);
      out[at] = std::min(out[at], static_cast<double>(cycles[at]));
    }
  }
  return out;
}

std::vector<MicroValue> run(Bench& bench) {
  const DeviceWords lines(static_cast<std::size_t>(kLines) * kLineWords);
  DeviceWords claimed(1);
  link_lines<<<1, kLines, 0, bench.stream()>>>(reinterpret_cast<std::uint64_t>(lines.get()));
  PNSIM_CUDA(cudaGetLastError());
  const int sms = std::min(bench.sms(), kSms);
  std::vector<std::vector<double>> seen;
  for (int i = 0; i < sms; ++i) {
    const auto sm = static_cast<unsigned>(i * bench.sms() / sms);
    seen.push_back(latencies_of(bench, sm, lines, claimed));
  }
  double lowest = 1;
  for (std::size_t a = 0; a < seen.size(); ++a) {
    for (std::size_t b = a + 1; b < seen.size(); ++b)
      lowest = std::min(lowest, correlation(seen[a], seen[b]));
  }
  std::vector<MicroValue> out;
  bench.add(out, "l2_sides", {{"of", "lowest_correlation"}}, {lowest, 0, 3}, "1");
  return out;
}

const bool kRegistered = register_microbenchmark("l2_sides", run);

}  // namespace
}  // namespace pnsim::gpu
