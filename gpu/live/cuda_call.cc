#include "gpu/live/cuda_call.h"

#include <string>

#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

ExitCode exit_code_of(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return ExitCode::kLimit;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemDriverMismatch:
      return ExitCode::kUnavailable;
    default:
      return ExitCode::kInternal;
  }
}

// The path relative to the top level of the project.
std::string short_path(const std::string& file) {
  const std::size_t start = file.rfind("gpu/live/");
  return start == std::string::npos ? file : file.substr(start);
}

}  // namespace

void throw_cuda_error(cudaError_t error, const char* call, const char* file, int line) {
  cudaGetLastError();  // clears the error, so that no later call reports it again
  throw Error(exit_code_of(error), short_path(file) + ":" + std::to_string(line) + ": " + call +
                                       ": " + cudaGetErrorName(error) + ": " +
                                       cudaGetErrorString(error));
}

}  // namespace pnsim::gpu
