// How fast bytes from DRAM are written into L2.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kThreads = 256;

// Each block copies kValues rows of kThreads float4, from data that repeat every `from_rows` rows,
// to data that repeat every `to_rows`.
constexpr unsigned kValues = 4;
__global__ void copy_rows(const float4* from, unsigned from_rows, float4* to, unsigned to_rows) {
  float4 value[kValues];
#pragma unroll
  for (unsigned i = 0; i < kValues; ++i) {
    const std::size_t row = (blockIdx.x * kValues + i) % from_rows;
    value[i] = __ldcg(from + row * kThreads + threadIdx.x);
  }
#pragma unroll
  for (unsigned i = 0; i < kValues; ++i) {
    const std::size_t row = (blockIdx.x * kValues + i) % to_rows;
    __stcg(to + row * kThreads + threadIdx.x, value[i]);
  }
}

// Reads the same rows, and stores nothing.
__global__ void read_rows(const float4* from, unsigned from_rows, std::uint32_t* sink) {
  float sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kValues; ++i) {
    const std::size_t row = (blockIdx.x * kValues + i) % from_rows;
    const float4 value = __ldcg(from + row * kThreads + threadIdx.x);
    sum += value.x + value.y + value.z + value.w;
  }
  if (sum == 0.123f) *sink = 1;
}

// Copies to data that stay in L2, so the stores keep the input of L2 busy: how much longer they
// take from DRAM than from L2 is the time in which the data are written into L2. That holds where
// DRAM alone takes less time than both together, which is measured, too.
std::vector<MicroValue> run_l2_fill(Bench& bench) {
  constexpr double kLongest = 0.9;  // of the copy from DRAM: reading DRAM alone
  constexpr std::size_t kRowBytes = kThreads * sizeof(float4);
  constexpr unsigned kRows = (1u << 30) / kRowBytes,  // 1 GiB
      kRowsThatStay = (6u << 20) / kRowBytes;         // 6 MiB
  std::vector<MicroValue> out;
  DeviceWords from(std::size_t{kRows} * kRowBytes / 4),
      to(std::size_t{kRowsThatStay} * kRowBytes / 4);
  from.fill(0, bench.stream());
  to.fill(0, bench.stream());
  const auto* const rows = reinterpret_cast<const float4*>(from.get());
  const auto ns_from = [&](unsigned from_rows) {
    return bench.ns_of([&] {
      copy_rows<<<kRows / kValues, kThreads, 0, bench.stream()>>>(
          rows, from_rows, reinterpret_cast<float4*>(to.get()), kRowsThatStay);
    });
  };
  const double copied = sample([&] { return ns_from(kRows); }, 5).median;
  const Sampled read = sample(
      [&] {
        return bench.ns_of([&] {
          read_rows<<<kRows / kValues, kThreads, 0, bench.stream()>>>(rows, kRows, bench.sink());
        });
      },
      5);
  if (read.median > kLongest * copied) {
    bench.skip("reading DRAM alone takes " +
               std::to_string(std::lround(100 * read.median / copied)) +
               " % of the time of the copy, so the copy does not show how long L2 takes");
    return out;
  }
  const Sampled s = sample(
      [&] { return double{kRows} * kRowBytes / (ns_from(kRows) - ns_from(kRowsThatStay)); }, 5);
  bench.add(out, "l2_fill", {}, s, "GB/s");
  return out;
}

const bool kRegistered = register_microbenchmark("l2_fill", run_l2_fill);

}  // namespace
}  // namespace pnsim::gpu
