// Checked calls of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace pnsim::gpu {

// Throws with file, line, the text of the call and what the runtime says: error 5 when the device
// memory is used up, 4 when there is no usable device or driver, else 70.
[[noreturn]] void throw_cuda_error(cudaError_t error, const char* call, const char* file, int line);

}  // namespace pnsim::gpu

// Every call of the CUDA runtime goes through this, but for those in destructors.
#define PNSIM_CUDA(call)                                                         \
  do {                                                                           \
    const cudaError_t pnsim_cuda_error = (call);                                 \
    if (pnsim_cuda_error != cudaSuccess) {                                       \
      pnsim::gpu::throw_cuda_error(pnsim_cuda_error, #call, __FILE__, __LINE__); \
    }                                                                            \
  } while (false)
