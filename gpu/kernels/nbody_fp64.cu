// nbody_fp64: the acceleration of each body by all others in double precision, staged in shared
// memory per block.
#include "gpu/double_shapes.h"
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct Body {
  double x, y, z, mass;
};

struct DoubleNbodyArgs {
  const Body* bodies;
  Body* pulls;  // acceleration; the fourth component is 0
  unsigned n;
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void nbody_fp64(pnsim::gpu::DoubleNbodyArgs args) {
  using pnsim::gpu::Body;
  extern __shared__ __align__(16) unsigned char shared[];
  Body* const tile = reinterpret_cast<Body*>(shared);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body own = i < args.n ? args.bodies[i] : Body{};
  double x = 0, y = 0, z = 0;
  for (unsigned first = 0; first < args.n; first += blockDim.x) {
    const unsigned other = first + threadIdx.x;
    tile[threadIdx.x] = other < args.n ? args.bodies[other] : Body{};  // mass 0 does not pull
    __syncthreads();
#pragma unroll 4
    for (unsigned k = 0; k < blockDim.x; ++k) {
      const double dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      const double squared = dx * dx + dy * dy + dz * dz + pnsim::gpu::kDoubleSoftening;
      const double inverse = rsqrt(squared);
      const double strength = tile[k].mass * inverse * inverse * inverse;
      x += strength * dx;
      y += strength * dy;
      z += strength * dz;
    }
    __syncthreads();
  }
  if (i < args.n) args.pulls[i] = {x, y, z, 0};
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const DoubleNbodyArgs args = {reinterpret_cast<const Body*>(buffers.source),
                                reinterpret_cast<Body*>(buffers.target), unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block");
  return {{"nbody_fp64",
           reinterpret_cast<const void*>(nbody_fp64),
           {(args.n + block - 1) / block},
           {block},
           block * static_cast<unsigned>(sizeof(Body)),
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"nbody_fp64", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
