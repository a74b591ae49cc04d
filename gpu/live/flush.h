// What a cold sample starts with.
#pragma once

#include "gpu/live/cuda_handles.h"

namespace pnsim::gpu {

// Memory of twice the size of L2. Reading it leaves L2 full of lines that are of no use to a
// program and need not be written back; the program's own are written back before its time starts.
class CacheFlush {
 public:
  CacheFlush();
  void run(cudaStream_t stream) const;  // asynchronous
  // Keeps the stream busy for about as long and touches no memory: what is queued behind it starts
  // without a gap, as it does behind run.
  static void wait_as_long(cudaStream_t stream);

 private:
  DeviceWords words_;
};

}  // namespace pnsim::gpu
