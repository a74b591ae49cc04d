// gpu/live.h in a build without CUDA.
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live_device.h"
#include "gpu/microbench.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

constexpr const char* kReason =
    "this build cannot run kernels: it was made without the CUDA Toolkit. Install the toolkit "
    "(nvcc on PATH or in /usr/local/cuda) and configure again with -DPNSIM_GPU=ON; recorded "
    "measurements work without it";

[[noreturn]] void refuse() { fail_unavailable(kReason); }

}  // namespace

bool live_built() { return false; }

std::optional<std::string> unavailable_reason() { return kReason; }

DeviceFacts query_device() { refuse(); }

std::vector<KernelFacts> kernel_facts(const Point&) { refuse(); }

std::optional<std::string> missing_capability(const Program&) { refuse(); }

Verification verify_on_device(const Point&, InputCache&) { refuse(); }

Measurement measure_on_device(const Point&, Mode, const SamplingRules&, InputCache&) { refuse(); }

void note_other_processes() {}

MicroRun run_microbenchmark(const std::string&) { refuse(); }

void run_for_profiler(const std::vector<ProfileItem>&, const std::string&, InputCache&) {
  refuse();
}

}  // namespace pnsim::gpu
