// cub_radix: CUB's radix sort of the same keys, as the baseline. CUB chooses digits, tuning and
// kernels. The input is not overwritten, so that a replay does the same work.
#include <cub/device/device_radix_sort.cuh>

#include "gpu/kernels/kernel_program.h"

namespace pnsim::gpu {
namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw Error(ExitCode::kInternal, std::string("cub_radix: ") + cudaGetErrorString(error));
}

// Sorts; without `memory` it only returns the number of bytes that it needs.
void sort(void* memory, std::size_t& bytes, const AxisValues& axes, const PassBuffers& buffers,
          cudaStream_t stream) {
  check(cub::DeviceRadixSort::SortKeys(memory, bytes, buffers.source, buffers.target,
                                       value_of(axes, "n"), 0, 32, stream));
}

std::size_t scratch_bytes(const AxisValues& axes) {
  std::size_t bytes = 0;
  sort(nullptr, bytes, axes, {}, nullptr);
  return bytes;
}

std::size_t scratch_words(const AxisValues& axes) {
  return (scratch_bytes(axes) + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);
}

void enqueue(const AxisValues& axes, const PassBuffers& buffers, cudaStream_t stream) {
  std::size_t bytes = sizeof(std::uint32_t) * scratch_words(axes);
  sort(buffers.scratch, bytes, axes, buffers, stream);
}

[[maybe_unused]] const bool kRegistered =
    register_program({"cub_radix", scratch_words, nullptr, false, enqueue});

}  // namespace
}  // namespace pnsim::gpu
