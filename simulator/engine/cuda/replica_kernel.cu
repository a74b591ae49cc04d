// Replicas on a GPU, one a thread. The threads of a warp are replicas of one net: they read the same
// tables and differ in what is drawn only.
#include <cuda_runtime.h>

#include <algorithm>

#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/cuda/replica_report.h"

namespace pnsim {
namespace {

constexpr unsigned kBlockThreads = kReplicaStride;

// `states`: of the blocks of the grid, in global memory; null: they stand in shared memory, behind
// the tables.
template <class Shape, bool kIsShared>
__global__ void __launch_bounds__(kBlockThreads)
    replica_kernel(const __grid_constant__ ReplicaHeader header, const std::uint32_t* image,
                   ReplicaRequest request, ReplicaOut out, std::uint32_t* states) {
  extern __shared__ uint4 shared[];
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(shared);
  for (std::uint32_t i = threadIdx.x; i < header.image_words; i += kBlockThreads) words[i] = image[i];
  __syncthreads();
  const ReplicaTables tables(header, words);
  const std::uint32_t size = state_words(header);
  std::uint32_t* const state = (kIsShared ? words + (header.image_words + 3) / 4 * 4
                                          : states + std::size_t{blockIdx.x} * size * kBlockThreads) +
                               threadIdx.x;
  NoWatch watch;
  for (std::uint32_t index = blockIdx.x * kBlockThreads + threadIdx.x; index < request.count;
       index += gridDim.x * kBlockThreads) {
    for (std::uint32_t i = 0; i < size; ++i) state[i * kReplicaStride] = 0;
    run_replica<Shape>(header, tables, state, request, index, out, watch,
                       [](std::uint64_t* to, std::uint32_t number) {
                         atomicAdd(reinterpret_cast<unsigned long long*>(to), number);
                       });
  }
}

// Device memory on a stream; errors are kept in `error` and show at the end.
template <class T>
class DeviceArray {
 public:
  DeviceArray(std::size_t size, cudaStream_t stream, cudaError_t& error)
      : size_(std::max<std::size_t>(size, 1)), stream_(stream), error_(error) {
    if (error_ == cudaSuccess) error_ = cudaMallocAsync(&data_, size_ * sizeof(T), stream_);
    if (error_ == cudaSuccess) error_ = cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream_);
  }
  ~DeviceArray() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  void copy_from(const std::vector<T>& from) {
    if (error_ != cudaSuccess) return;
    error_ = cudaMemcpyAsync(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream_);
  }
  void copy_to(std::vector<T>& to) const {
    if (error_ != cudaSuccess) return;
    error_ = cudaMemcpyAsync(to.data(), data_, to.size() * sizeof(T), cudaMemcpyDeviceToHost, stream_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
  cudaStream_t stream_;
  cudaError_t& error_;
};

using ReplicaKernel = void (*)(ReplicaHeader, const std::uint32_t*, ReplicaRequest, ReplicaOut,
                               std::uint32_t*);

template <bool kIsShared>
ReplicaKernel kernel_of(ReplicaShape shape) {
  switch (shape) {
    case ReplicaShape::kSmall: return replica_kernel<SmallShape, kIsShared>;
    case ReplicaShape::kPaper: return replica_kernel<PaperShape, kIsShared>;
    case ReplicaShape::kWide: return replica_kernel<WideShape, kIsShared>;
  }
  return nullptr;
}

// How a net's replicas are laid over the GPU.
struct ReplicaLaunch {
  ReplicaKernel kernel = nullptr;
  unsigned blocks = 0;
  std::size_t shared_bytes = 0;
  std::size_t states = 0;  // words in global memory
};

cudaError_t plan_launch(const ReplicaHeader& header, std::uint32_t count, ReplicaLaunch& out) {
  int device = 0, most_shared = 0, processors = 0, resident = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const std::size_t tables = std::size_t{(header.image_words + 3) / 4} * 16;
  const std::size_t states = std::size_t{state_words(header)} * kBlockThreads * 4;
  out.blocks = (count + kBlockThreads - 1) / kBlockThreads;
  const bool is_shared = tables + states <= static_cast<std::size_t>(most_shared);
  out.kernel = is_shared ? kernel_of<true>(header.shape) : kernel_of<false>(header.shape);
  out.shared_bytes = is_shared ? tables + states : tables;
  error = cudaFuncSetAttribute(out.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(out.shared_bytes));
  if (error != cudaSuccess || is_shared) return error;
  error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, out.kernel, kBlockThreads,
                                                        out.shared_bytes);
  out.blocks = std::min<unsigned>(out.blocks, static_cast<unsigned>(std::max(resident * processors, 1)));
  out.states = std::size_t{out.blocks} * states / 4;
  return error;
}

cudaError_t run_on_stream(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                          const ReplicaRequest& request, cudaStream_t stream, ReplicaBatch& out) {
  ReplicaLaunch launch;
  cudaError_t error = plan_launch(header, request.count, launch);
  if (error != cudaSuccess) return error;
  DeviceArray<std::uint32_t> tables(image.size(), stream, error), states(launch.states, stream, error);
  DeviceArray<ReplicaEnd> ends(out.ends.size(), stream, error);
  DeviceArray<std::uint32_t> finals(out.finals.size(), stream, error);
  DeviceArray<std::uint64_t> sums(out.sums.size(), stream, error);
  tables.copy_from(image);
  if (error != cudaSuccess) return error;
  launch.kernel<<<launch.blocks, kBlockThreads, launch.shared_bytes, stream>>>(
      header, tables.data(), request, {ends.data(), finals.data(), sums.data()}, states.data());
  error = cudaGetLastError();
  ends.copy_to(out.ends);
  finals.copy_to(out.finals);
  sums.copy_to(out.sums);
  const cudaError_t ended = cudaStreamSynchronize(stream);
  return error != cudaSuccess ? error : ended;
}

std::string text_of_error(cudaError_t error) {
  if (error == cudaSuccess) return "";
  cudaGetLastError();  // clears it
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

}  // namespace

std::string why_no_gpu() {
  int count = 0;
  const std::string error = text_of_error(cudaGetDeviceCount(&count));
  if (!error.empty()) return error;
  if (count == 0) return "no CUDA device found";
  cudaFuncAttributes attributes;  // fails when the build has no code for this GPU
  return text_of_error(cudaFuncGetAttributes(&attributes, replica_kernel<PaperShape, true>));
}

std::string run_on_gpu(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                       const ReplicaRequest& request, ReplicaBatch& out) {
  out.ends.resize(request.count);
  out.finals.resize(std::size_t{request.kept} * final_words(header));
  out.sums.resize(sum_count(header));
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) return text_of_error(error);
  error = run_on_stream(header, image, request, stream, out);
  cudaStreamDestroy(stream);
  return text_of_error(error);
}

}  // namespace pnsim
