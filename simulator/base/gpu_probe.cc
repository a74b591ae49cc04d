#include "simulator/base/gpu_probe.h"

#include <dlfcn.h>

namespace pnsim {

#if defined(__EMSCRIPTEN__)

int cuda_device_count() { return 0; }  // WebAssembly sees no driver

#else

int cuda_device_count() {
  // The two entry points of libcuda that are needed; both return 0 (CUDA_SUCCESS) on success.
  using Init = int (*)(unsigned);
  using GetCount = int (*)(int*);
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return 0;
  const auto init = reinterpret_cast<Init>(dlsym(library, "cuInit"));
  const auto get_count = reinterpret_cast<GetCount>(dlsym(library, "cuDeviceGetCount"));
  int count = 0;
  if (!init || !get_count || init(0) != 0 || get_count(&count) != 0) return 0;
  return count;  // the library stays loaded: unloading a driver is not safe
}

#endif

}  // namespace pnsim
