// The clock of an SM while it works, measured without the driver: cycles over nanoseconds.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

// Spins for at least `wanted` cycles; writes the cycles, then the nanoseconds.
__global__ void spin(long long wanted, long long* out) {
  unsigned long long before = 0, after = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  const long long start = clock64();
  long long stop = start;
  while (stop - start < wanted) stop = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  out[0] = stop - start;
  out[1] = static_cast<long long>(after - before);
}

std::vector<MicroValue> run(Bench& bench) {
  // The timer may advance in steps of a microsecond: ten milliseconds make that negligible.
  constexpr long long kCycles = 20'000'000;
  const Sampled s = sample(
      [&] {
        spin<<<1, 1, 0, bench.stream()>>>(kCycles, bench.cycles());
        PNSIM_CUDA(cudaGetLastError());
        PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
        long long found[2] = {};
        PNSIM_CUDA(cudaMemcpy(found, bench.cycles(), sizeof found, cudaMemcpyDeviceToHost));
        return 1e3 * static_cast<double>(found[0]) / static_cast<double>(found[1]);
      },
      5);
  std::vector<MicroValue> out;
  bench.add(out, "sm_clock", {}, s, "MHz");
  return out;
}

const bool kRegistered = register_microbenchmark("sm_clock", run);

}  // namespace
}  // namespace pnsim::gpu
