#include "gpu/live/flush.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned kBlocks = 1024;
constexpr unsigned kThreads = 256;

std::size_t twice_l2_words() {
  int bytes = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
  return 2 * static_cast<std::size_t>(bytes) / sizeof(std::uint32_t);
}

// All words are 0, so the store at the end never executes, but the compiler cannot know.
__global__ void read_words(std::uint32_t* words, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < size;
       i += std::size_t{kBlocks} * kThreads) {
    sum += __ldcg(words + i);
  }
  if (sum != 0) words[0] = sum;
}

__global__ void wait_ns(std::uint64_t ns) {
  std::uint64_t start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < ns);
}

constexpr std::uint64_t kWaitNs = 50'000;  // about the time to read twice the L2 size (an estimate)

}  // namespace

CacheFlush::CacheFlush() : words_(twice_l2_words()) {
  PNSIM_CUDA(cudaMemset(words_.get(), 0, words_.size() * sizeof(std::uint32_t)));
  PNSIM_CUDA(
      cudaStreamSynchronize(cudaStreamLegacy));  // our streams do not wait for the default stream
}

void CacheFlush::run(cudaStream_t stream) const {
  read_words<<<kBlocks, kThreads, 0, stream>>>(words_.get(), words_.size());
  PNSIM_CUDA(cudaGetLastError());
}

void CacheFlush::wait_as_long(cudaStream_t stream) {
  wait_ns<<<1, 1, 0, stream>>>(kWaitNs);
  PNSIM_CUDA(cudaGetLastError());
}

}  // namespace pnsim::gpu
