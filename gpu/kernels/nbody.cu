// nbody: the acceleration of each body by the gravity of all bodies, one thread per body. A block
// stages as many bodies as it has threads in shared memory, and every thread reads the same one.
// Each pair needs arithmetic and one reciprocal square root.
#include "gpu/kernels/kernel_program.h"
#include "gpu/nbody_shape.h"

namespace pnsim::gpu {
namespace {

struct NbodyArgs {
  const float4* bodies;   // x, y, z, mass
  float4* accelerations;  // x, y, z, 0
  unsigned n;
};

__device__ void attract(const float4& body, const float4& other, float4& acceleration) {
  const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
  const float near = rsqrtf(x * x + y * y + z * z + kSoftening);
  const float pull = other.w * near * near * near;
  acceleration.x += pull * x;
  acceleration.y += pull * y;
  acceleration.z += pull * z;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void nbody(pnsim::gpu::NbodyArgs args) {
  extern __shared__ float4 staged[];  // [threads]
  const float4 nothing = {0, 0, 0, 0};
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 body = i < args.n ? args.bodies[i] : nothing;
  float4 acceleration = nothing;
  for (unsigned first = 0; first < args.n; first += blockDim.x) {
    const unsigned other = first + threadIdx.x;
    // A body without mass has no effect.
    staged[threadIdx.x] = other < args.n ? args.bodies[other] : nothing;
    __syncthreads();
#pragma unroll 8
    for (unsigned k = 0; k < blockDim.x; ++k) pnsim::gpu::attract(body, staged[k], acceleration);
    __syncthreads();  // before the next bodies overwrite these
  }
  if (i < args.n) args.accelerations[i] = acceleration;
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const NbodyArgs args = {reinterpret_cast<const float4*>(buffers.source),
                          reinterpret_cast<float4*>(buffers.target), unsigned_of(axes, "n")};
  const unsigned block = unsigned_of(axes, "block");
  return {{"nbody",
           reinterpret_cast<const void*>(nbody),
           {(args.n + block - 1) / block},
           {block},
           block * unsigned{sizeof(float4)},
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"nbody", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
