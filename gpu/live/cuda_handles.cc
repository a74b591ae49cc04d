#include "gpu/live/cuda_handles.h"

#include <algorithm>

namespace pnsim::gpu {

DeviceWords::DeviceWords(std::size_t size) : size_(size) {
  const std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(std::uint32_t);
  PNSIM_CUDA(cudaMalloc(reinterpret_cast<void**>(&words_), bytes));
}

void DeviceWords::upload(const std::vector<std::uint32_t>& words) {
  PNSIM_CUDA(cudaMemcpy(words_, words.data(), std::min(size_, words.size()) * sizeof(std::uint32_t),
                        cudaMemcpyHostToDevice));
  // The copy may still be running, and our streams do not wait for the default stream.
  PNSIM_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
}

std::vector<std::uint32_t> DeviceWords::download() const {
  std::vector<std::uint32_t> words(size_);
  PNSIM_CUDA(
      cudaMemcpy(words.data(), words_, size_ * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  return words;
}

void DeviceWords::fill(unsigned char byte, cudaStream_t stream) {
  PNSIM_CUDA(cudaMemsetAsync(words_, byte, size_ * sizeof(std::uint32_t), stream));
}

LinearTexture::LinearTexture(const DeviceWords& words) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = words.get();
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
  resource.res.linear.sizeInBytes = std::max<std::size_t>(words.size(), 1) * sizeof(std::uint32_t);
  cudaTextureDesc description{};
  description.readMode = cudaReadModeElementType;
  PNSIM_CUDA(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
}

EventTimer::EventTimer() {
  PNSIM_CUDA(cudaEventCreate(&start_));
  PNSIM_CUDA(cudaEventCreate(&stop_));
}

EventTimer::~EventTimer() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

double EventTimer::wait_us() const {
  PNSIM_CUDA(cudaEventSynchronize(stop_));
  float ms = 0;
  PNSIM_CUDA(cudaEventElapsedTime(&ms, start_, stop_));
  return 1000.0 * ms;
}

Graph::Graph(cudaStream_t stream, const std::function<void()>& record) {
  PNSIM_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  record();
  PNSIM_CUDA(cudaStreamEndCapture(stream, &graph_));
  PNSIM_CUDA(cudaGraphInstantiate(&executable_, graph_, 0));
}

Graph::~Graph() {
  cudaGraphExecDestroy(executable_);
  cudaGraphDestroy(graph_);
}

}  // namespace pnsim::gpu
