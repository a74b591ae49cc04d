// bfs_level: breadth-first search level by level on a graph in compressed rows. A launch per level
// looks at all vertices; those that the level before reached, mark their neighbours. Most threads
// leave at once, the others have loops of different length and gathers.
#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

struct BfsArgs {
  const std::uint32_t* starts;  // [vertices + 1]: places in `neighbours`
  const std::uint32_t* neighbours;
  std::uint32_t* level;        // [vertices]; all ones: not reached
  unsigned vertices, reached;  // the level that the launch begins with
};

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void bfs_level_init(pnsim::gpu::BfsArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.vertices) args.level[i] = i == 0 ? 0 : 0xffffffffu;
}

extern "C" __global__ void bfs_level_step(pnsim::gpu::BfsArgs args) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.vertices || args.level[i] != args.reached) return;
  for (unsigned edge = args.starts[i]; edge < args.starts[i + 1]; ++edge) {
    const unsigned to = args.neighbours[edge];
    if (args.level[to] == 0xffffffffu) args.level[to] = args.reached + 1;  // all store the same
  }
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  const unsigned vertices = unsigned_of(axes, "vertices"), block = unsigned_of(axes, "block");
  BfsArgs args{};
  args.vertices = vertices;
  args.starts = buffers.source;
  args.neighbours = buffers.source == nullptr ? nullptr : buffers.source + vertices + 1;
  args.level = buffers.target;
  const Extent grid = {(vertices + block - 1) / block};
  std::vector<Launch> out;
  out.push_back(
      {"bfs_level_init", reinterpret_cast<const void*>(bfs_level_init), grid, {block}, 0, args});
  for (unsigned level = 0; level < unsigned_of(axes, "levels"); ++level) {
    args.reached = level;
    out.push_back(
        {"bfs_level_step", reinterpret_cast<const void*>(bfs_level_step), grid, {block}, 0, args});
  }
  return out;
}

[[maybe_unused]] const bool kRegistered = register_program({"bfs_level", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
