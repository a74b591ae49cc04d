// The cache flush before a cold sample.
#pragma once

#include "gpu/live/cuda_handles.h"

namespace pnsim::gpu {

// A buffer of twice the L2 size. Reading it fills L2 with clean lines that the program does not
// use. The program's own dirty lines are written back before its time starts.
class CacheFlush {
 public:
  CacheFlush();
  void run(cudaStream_t stream) const;  // asynchronous
  // Keeps the stream busy for about the same time without memory accesses. Work queued behind it
  // then starts without a gap, as it does behind run().
  static void wait_as_long(cudaStream_t stream);

 private:
  DeviceWords words_;
};

}  // namespace pnsim::gpu
