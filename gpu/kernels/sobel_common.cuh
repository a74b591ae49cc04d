// Shared by the two Sobel edge detections.
#pragma once

#include "gpu/kernels/kernel_program.h"
#include "gpu/sobel_shape.h"

namespace pnsim::gpu {

struct SobelArgs {
  const std::uint32_t* image;  // [height][width]: grey values, 0 ... 255
  std::uint32_t* edges;        // [height][width]: kEdge or 0
  unsigned width;
  unsigned height;
};

inline SobelArgs sobel_args(const AxisValues& axes, const PassBuffers& buffers) {
  return {buffers.source, buffers.target, unsigned_of(axes, "width"), unsigned_of(axes, "height")};
}

// The colour of the pixel at `centre`; consecutive rows are `stride` words apart. All eight
// neighbours must exist.
__device__ inline std::uint32_t edge_at(const std::uint32_t* centre, unsigned stride) {
  const std::uint32_t* const above = centre - stride;
  const std::uint32_t* const below = centre + stride;
  const int corner = static_cast<int>(below[1]) - static_cast<int>(above[-1]);
  const int other_corner = static_cast<int>(above[1]) - static_cast<int>(below[-1]);
  const int across = 2 * (static_cast<int>(centre[1]) - static_cast<int>(centre[-1]));
  const int down = 2 * (static_cast<int>(below[0]) - static_cast<int>(above[0]));
  const int x = across + corner + other_corner;
  const int y = down + corner - other_corner;
  return x * x + y * y > kSobelThreshold * kSobelThreshold ? kEdge : 0;
}

}  // namespace pnsim::gpu
