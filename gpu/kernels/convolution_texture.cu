// convolution_texture: a separable filter of 9 x 9 by two launches, along the rows and along the
// columns, which read their neighbours through textures. Pixels beyond an edge repeat it.
#include "gpu/kernels/kernel_program.h"
#include "gpu/table_shape.h"

namespace pnsim::gpu {
namespace {

struct ConvolutionArgs {
  TextureHandle in;
  float* out;
  int width, height;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void convolution_texture_rows(pnsim::gpu::ConvolutionArgs args) {
  using namespace pnsim::gpu;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= args.width || y >= args.height) return;
  constexpr float kWeights[] = {kFilter[0], kFilter[1], kFilter[2], kFilter[3], kFilter[4],
                                kFilter[5], kFilter[6], kFilter[7], kFilter[8]};
  float sum = 0;
#pragma unroll
  for (int i = -kFilterRadius; i <= kFilterRadius; ++i) {
    const int from = y * args.width + min(max(x + i, 0), args.width - 1);
    sum += kWeights[i + kFilterRadius] * __uint_as_float(tex1Dfetch<unsigned>(args.in, from));
  }
  args.out[y * args.width + x] = sum;
}

extern "C" __global__ void convolution_texture_columns(pnsim::gpu::ConvolutionArgs args) {
  using namespace pnsim::gpu;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= args.width || y >= args.height) return;
  constexpr float kWeights[] = {kFilter[0], kFilter[1], kFilter[2], kFilter[3], kFilter[4],
                                kFilter[5], kFilter[6], kFilter[7], kFilter[8]};
  float sum = 0;
#pragma unroll
  for (int i = -kFilterRadius; i <= kFilterRadius; ++i) {
    const int from = min(max(y + i, 0), args.height - 1) * args.width + x;
    sum += kWeights[i + kFilterRadius] * __uint_as_float(tex1Dfetch<unsigned>(args.in, from));
  }
  args.out[y * args.width + x] = sum;
}

namespace pnsim::gpu {
namespace {

std::size_t scratch(const AxisValues& axes) {
  return std::size_t{unsigned_of(axes, "width")} * unsigned_of(axes, "height");
}

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned width = unsigned_of(axes, "width"), height = unsigned_of(axes, "height"),
                 tile = unsigned_of(axes, "tile");
  const Extent grid = {(width + tile - 1) / tile, (height + tile - 1) / tile};
  const ConvolutionArgs rows = {buffers.source_texture, reinterpret_cast<float*>(buffers.scratch),
                                static_cast<int>(width), static_cast<int>(height)};
  const ConvolutionArgs columns = {buffers.scratch_texture,
                                   reinterpret_cast<float*>(buffers.target),
                                   static_cast<int>(width), static_cast<int>(height)};
  return {{"convolution_texture_rows",
           reinterpret_cast<const void*>(convolution_texture_rows),
           grid,
           {tile, tile},
           0,
           rows},
          {"convolution_texture_columns",
           reinterpret_cast<const void*>(convolution_texture_columns),
           grid,
           {tile, tile},
           0,
           columns}};
}

[[maybe_unused]] const bool kRegistered =
    register_program({"convolution_texture", scratch, launches, true});

}  // namespace
}  // namespace pnsim::gpu
