// Checked calls of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace pnsim::gpu {

// Throws an error with file, line, the text of the call and the runtime's message. Error 5 when
// device memory is exhausted, 4 when there is no usable device or driver, else 70.
[[noreturn]] void throw_cuda_error(cudaError_t error, const char* call, const char* file, int line);

}  // namespace pnsim::gpu

// Every call of the CUDA runtime uses this macro, except calls in destructors.
#define PNSIM_CUDA(call)                                                         \
  do {                                                                           \
    const cudaError_t pnsim_cuda_error = (call);                                 \
    if (pnsim_cuda_error != cudaSuccess) {                                       \
      pnsim::gpu::throw_cuda_error(pnsim_cuda_error, #call, __FILE__, __LINE__); \
    }                                                                            \
  } while (false)
