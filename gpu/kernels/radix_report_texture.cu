// radix_report_texture: the report's radix sort that reads keys, bits and sums through textures.
// The bits of a block are summed in shared memory, as in radix_report_shared. The report used
// texture references, which CUDA 12 removed; these are texture objects. A texture may return stale
// data for words that the same kernel writes, so no kernel fetches from an array that it writes.
#include "gpu/kernels/radix_report_common.cuh"

namespace pnsim::gpu {
namespace {

__device__ unsigned key_at(const ReportArgs& args, unsigned i) {
  return tex1Dfetch<unsigned>(args.source_texture, static_cast<int>(i));
}
__device__ unsigned bit_at(const ReportArgs& args, unsigned i) {
  return tex1Dfetch<unsigned>(args.scratch_texture, static_cast<int>(i));
}
__device__ unsigned block_sum_at(const ReportArgs& args, unsigned i) {
  return tex1Dfetch<unsigned>(args.scratch_texture, static_cast<int>(args.n + i));
}
__device__ unsigned grid_sum_at(const ReportArgs& args, unsigned i) {
  return tex1Dfetch<unsigned>(args.scratch_texture, static_cast<int>(2 * args.n + i));
}

}  // namespace
}  // namespace pnsim::gpu

using pnsim::gpu::ReportArgs;

extern "C" __global__ void radix_report_texture_sum(ReportArgs args) {
  using namespace pnsim::gpu;
  extern __shared__ unsigned staged[];  // [block]
  const unsigned i = this_key();
  const unsigned bit = i < args.n ? (key_at(args, i) >> args.bit) & 1u : 0;
  const unsigned sum = sum_staged_bits(staged, bit);
  if (i >= args.n) return;
  args.bits[i] = bit;
  args.block_sums[i] = sum;
}

extern "C" __global__ void radix_report_texture_ones(ReportArgs args) {
  using namespace pnsim::gpu;
  const unsigned i = this_key();
  if (i >= args.n) return;
  unsigned sum = block_sum_at(args, i);
  for (unsigned b = 1; b <= blockIdx.x; ++b) sum += block_sum_at(args, b * blockDim.x - 1);
  args.grid_sums[i] = sum;
}

extern "C" __global__ void radix_report_texture_scatter(ReportArgs args) {
  using namespace pnsim::gpu;
  const unsigned i = this_key();
  if (i >= args.n) return;
  const unsigned all_ones = grid_sum_at(args, args.n - 1);
  const bool is_one = bit_at(args, i) == 1;
  args.target[new_position(i, is_one, grid_sum_at(args, i), all_ones, args.n)] = key_at(args, i);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  return report_launches(axes, buffers,
                         {{"radix_report_texture_sum", radix_report_texture_sum, true},
                          {"radix_report_texture_ones", radix_report_texture_ones, false},
                          {"radix_report_texture_scatter", radix_report_texture_scatter, false}});
}

[[maybe_unused]] const bool kRegistered =
    register_program({"radix_report_texture", report_scratch_words, launches, true});

}  // namespace
}  // namespace pnsim::gpu
