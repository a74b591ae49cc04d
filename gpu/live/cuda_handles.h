// Owning handles of CUDA runtime resources. None can be copied. Errors in destructors are ignored:
// the process is about to end, or the call before has already thrown the error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/live/cuda_call.h"

namespace pnsim::gpu {

// words[size] of 32 bits in device memory; at least one word is allocated, so that the pointer is
// valid.
class DeviceWords {
 public:
  explicit DeviceWords(std::size_t size);
  ~DeviceWords() { cudaFree(words_); }
  DeviceWords(const DeviceWords&) = delete;
  DeviceWords& operator=(const DeviceWords&) = delete;

  std::uint32_t* get() const { return words_; }
  std::size_t size() const { return size_; }
  void upload(const std::vector<std::uint32_t>& words);  // needs size() words
  std::vector<std::uint32_t> download() const;
  void fill(unsigned char byte, cudaStream_t stream);  // asynchronous

 private:
  std::uint32_t* words_ = nullptr;
  std::size_t size_;
};

// A linear texture over words in device memory; the words must outlive it.
class LinearTexture {
 public:
  explicit LinearTexture(const DeviceWords& words);
  ~LinearTexture() { cudaDestroyTextureObject(texture_); }
  LinearTexture(const LinearTexture&) = delete;
  LinearTexture& operator=(const LinearTexture&) = delete;

  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

class Stream {
 public:
  Stream() { PNSIM_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void wait() const { PNSIM_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// Two events that time a section of a stream.
class EventTimer {
 public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start(cudaStream_t stream) { PNSIM_CUDA(cudaEventRecord(start_, stream)); }
  void stop(cudaStream_t stream) { PNSIM_CUDA(cudaEventRecord(stop_, stream)); }
  double wait_us() const;  // waits for the stop event; microseconds between the two events

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

// Captures what `record` launches into the stream, for replay as one unit.
class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& record);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(cudaStream_t stream) const { PNSIM_CUDA(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace pnsim::gpu
