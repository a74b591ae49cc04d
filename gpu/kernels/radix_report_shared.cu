// radix_report_shared: the report's radix sort whose loops read from shared memory. It stages the
// bits of the block, and the sums of the blocks before it in portions of one block size. The
// scatter reads every word once, so it stages nothing.
#include "gpu/kernels/radix_report_common.cuh"

using pnsim::gpu::ReportArgs;

extern "C" __global__ void radix_report_shared_sum(ReportArgs args) {
  extern __shared__ unsigned staged[];  // [block]
  const unsigned i = pnsim::gpu::this_key();
  const unsigned bit = i < args.n ? (args.source[i] >> args.bit) & 1u : 0;
  const unsigned sum = pnsim::gpu::sum_staged_bits(staged, bit);
  if (i >= args.n) return;
  args.bits[i] = bit;
  args.block_sums[i] = sum;
}

extern "C" __global__ void radix_report_shared_ones(ReportArgs args) {
  extern __shared__ unsigned staged[];  // [block]: sums of blocks
  const unsigned i = pnsim::gpu::this_key();
  unsigned sum = i < args.n ? args.block_sums[i] : 0;
  for (unsigned first = 0; first < blockIdx.x; first += blockDim.x) {
    const unsigned count = min(blockDim.x, blockIdx.x - first);
    if (threadIdx.x < count) {
      staged[threadIdx.x] = args.block_sums[(first + threadIdx.x + 1) * blockDim.x - 1];
    }
    __syncthreads();
    for (unsigned b = 0; b < count; ++b) sum += staged[b];
    __syncthreads();  // before the next sums overwrite them
  }
  if (i < args.n) args.grid_sums[i] = sum;
}

extern "C" __global__ void radix_report_shared_scatter(ReportArgs args) {
  const unsigned i = pnsim::gpu::this_key();
  if (i >= args.n) return;
  const unsigned all_ones = args.grid_sums[args.n - 1];
  const bool is_one = args.bits[i] == 1;
  args.target[pnsim::gpu::new_position(i, is_one, args.grid_sums[i], all_ones, args.n)] =
      args.source[i];
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  return report_launches(axes, buffers,
                         {{"radix_report_shared_sum", radix_report_shared_sum, true},
                          {"radix_report_shared_ones", radix_report_shared_ones, true},
                          {"radix_report_shared_scatter", radix_report_shared_scatter, false}});
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_report_shared", report_scratch_words, launches});

}  // namespace
}  // namespace pnsim::gpu
