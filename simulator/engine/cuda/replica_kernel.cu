// Runs replicas on a GPU, one per thread. The threads of a warp run replicas of one net: they read
// the same tables and differ only in their random draws.
#include <cuda_runtime.h>

#include <algorithm>

#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/cuda/replica_report.h"

namespace pnsim {
namespace {

constexpr unsigned kBlockThreads = kReplicaStride;

// Shared memory holds the tables, then the state of the block's replicas.
template <class Shape>
__global__ void __launch_bounds__(kBlockThreads)
    replica_kernel(const __grid_constant__ ReplicaHeader header, const std::uint32_t* image,
                   ReplicaRequest request, ReplicaOut out) {
  extern __shared__ uint4 shared[];
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(shared);
  for (std::uint32_t i = threadIdx.x; i < header.image_words; i += kBlockThreads)
    words[i] = image[i];
  __syncthreads();
  const ReplicaTables tables(header, words);
  const std::uint32_t index = blockIdx.x * kBlockThreads + threadIdx.x;
  if (index >= request.count) return;
  std::uint32_t* const state = words + (header.image_words + 3) / 4 * 4 + threadIdx.x;
  const std::uint32_t size = state_words(header);
  for (std::uint32_t i = 0; i < size; ++i) state[i * kReplicaStride] = 0;
  NoWatch watch;
  run_replica<Shape>(header, tables, state, request, index, out, watch,
                     [](std::uint64_t* to, std::uint32_t number) {
                       atomicAdd(reinterpret_cast<unsigned long long*>(to), number);
                     });
}

// Device memory allocated on a stream. The first error is kept in `error` and reported at the end.
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
    error_ = cudaMemcpyAsync(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                             stream_);
  }
  void copy_to(std::vector<T>& to) const {
    if (error_ != cudaSuccess) return;
    error_ =
        cudaMemcpyAsync(to.data(), data_, to.size() * sizeof(T), cudaMemcpyDeviceToHost, stream_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
  cudaStream_t stream_;
  cudaError_t& error_;
};

using ReplicaKernel = void (*)(ReplicaHeader, const std::uint32_t*, ReplicaRequest, ReplicaOut);

ReplicaKernel kernel_of(ReplicaShape shape) {
  switch (shape) {
    case ReplicaShape::kSmall:
      return replica_kernel<SmallShape>;
    case ReplicaShape::kPaper:
      return replica_kernel<PaperShape>;
    case ReplicaShape::kWide:
      return replica_kernel<WideShape>;
  }
  return nullptr;
}

std::size_t shared_bytes_of(const ReplicaHeader& header) {
  return std::size_t{(header.image_words + 3) / 4} * 16 +
         std::size_t{state_words(header)} * kBlockThreads * 4;
}

// The maximum of shared memory per block in bytes; 0 when the device query fails.
int most_shared_bytes() {
  int device = 0, most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return most;
}

cudaError_t run_on_stream(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                          const ReplicaRequest& request, cudaStream_t stream, ReplicaBatch& out) {
  const ReplicaKernel kernel = kernel_of(header.shape);
  const std::size_t shared_bytes = shared_bytes_of(header);
  // Requests the maximum and not the need of this net, because other threads launch the same kernel
  // for other nets.
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           most_shared_bytes());
  DeviceArray<std::uint32_t> tables(image.size(), stream, error);
  DeviceArray<ReplicaEnd> ends(out.ends.size(), stream, error);
  DeviceArray<std::uint32_t> finals(out.finals.size(), stream, error);
  DeviceArray<std::uint64_t> sums(out.sums.size(), stream, error);
  tables.copy_from(image);
  if (error != cudaSuccess) return error;
  const unsigned blocks = (request.count + kBlockThreads - 1) / kBlockThreads;
  kernel<<<blocks, kBlockThreads, shared_bytes, stream>>>(
      header, tables.data(), request, {ends.data(), finals.data(), sums.data()});
  error = cudaGetLastError();
  ends.copy_to(out.ends);
  finals.copy_to(out.finals);
  sums.copy_to(out.sums);
  const cudaError_t ended = cudaStreamSynchronize(stream);
  return error != cudaSuccess ? error : ended;
}

std::string text_of_error(cudaError_t error) {
  if (error == cudaSuccess) return "";
  cudaGetLastError();  // clears the error
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

}  // namespace

std::string why_no_gpu() {
  int count = 0;
  const std::string error = text_of_error(cudaGetDeviceCount(&count));
  if (!error.empty()) return error;
  if (count == 0) return "no CUDA device found";
  cudaFuncAttributes attributes;  // fails when the build contains no code for this GPU
  return text_of_error(cudaFuncGetAttributes(&attributes, replica_kernel<PaperShape>));
}

std::string run_on_gpu(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                       const ReplicaRequest& request, ReplicaBatch& out) {
  out.ends.resize(request.count);
  out.finals.resize(std::size_t{request.kept} * final_words(header));
  out.sums.resize(sum_count(header));
  if (shared_bytes_of(header) > static_cast<std::size_t>(most_shared_bytes())) {
    return "one block of replicas needs more shared memory than this GPU has";
  }
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) return text_of_error(error);
  error = run_on_stream(header, image, request, stream, out);
  cudaStreamDestroy(stream);
  return text_of_error(error);
}

}  // namespace pnsim
