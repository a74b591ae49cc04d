// radix_report_global: the report's radix sort with all data in global memory. Its loops read the
// bits of the block, then the sums of the blocks, one word after the other.
#include "gpu/kernels/radix_report_common.cuh"

using pnsim::gpu::ReportArgs;

// extern "C" gives the kernel its plain name in a profile.
extern "C" __global__ void radix_report_global_sum(ReportArgs args) {
  const unsigned i = pnsim::gpu::this_key();
  if (i < args.n) args.bits[i] = (args.source[i] >> args.bit) & 1u;
  __syncthreads();  // makes the block's bits visible to the block
  if (i >= args.n) return;
  unsigned sum = 0;
  for (unsigned j = blockIdx.x * blockDim.x; j <= i; ++j) sum += args.bits[j];
  args.block_sums[i] = sum;
}

extern "C" __global__ void radix_report_global_ones(ReportArgs args) {
  const unsigned i = pnsim::gpu::this_key();
  if (i >= args.n) return;
  unsigned sum = args.block_sums[i];
  for (unsigned b = 1; b <= blockIdx.x; ++b) sum += args.block_sums[b * blockDim.x - 1];
  args.grid_sums[i] = sum;
}

extern "C" __global__ void radix_report_global_scatter(ReportArgs args) {
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
                         {{"radix_report_global_sum", radix_report_global_sum, false},
                          {"radix_report_global_ones", radix_report_global_ones, false},
                          {"radix_report_global_scatter", radix_report_global_scatter, false}});
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_report_global", report_scratch_words, launches});

}  // namespace
}  // namespace pnsim::gpu
