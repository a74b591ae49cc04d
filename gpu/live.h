// Runs programs: device facts, verification, times, profiles. Host only. Programs of the catalogue
// that run on the CPU work in every build. For the others, a build without CUDA has the same
// functions, which throw error 4 with the way to a build that can run them. Errors of the CUDA
// runtime name file, line and call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/input_cache.h"
#include "gpu/point.h"
#include "gpu/profile_plan.h"
#include "gpu/program.h"
#include "gpu/reference.h"
#include "gpu/sampling.h"

namespace pnsim::gpu {

// True when this build contains CUDA code.
bool live_built();

// Why no kernel can run on this machine (no CUDA in the build, no driver, no device), in one
// sentence with the remedy. Nothing when one can.
std::optional<std::string> unavailable_reason();

// What the program needs and the GPU lacks, in one sentence; nothing when it can run. Needs a GPU.
std::optional<std::string> missing_capability(const Program& program);

// One number of the device, or a textual fact (then value is 0 and unit is empty).
struct DeviceFact {
  std::string name;  // "shared_memory_per_sm"
  double value;
  std::string unit;    // "byte"
  std::string source;  // source of the value: "cudaDeviceProp.sharedMemPerMultiprocessor"
  std::string text;    // "NVIDIA H200"
};

struct DeviceFacts {
  std::string name;  // "NVIDIA H200"
  unsigned sms = 0;
  std::string driver;              // "580.159.04"; the CUDA version of the driver without NVML
  std::string cuda;                // version of the linked runtime: "13.0"
  std::string compute_capability;  // "9.0"
  std::vector<DeviceFact> facts;   // all facts, including those above

  const DeviceFact& fact(std::string_view name) const;  // error 70 when there is no such fact
};
DeviceFacts query_device();

// The CPU of this machine, on which the host programs run. Only its name is known.
DeviceFacts host_facts();

// The device on which the program is timed: query_device() or host_facts().
DeviceFacts device_of_program(const std::string& program);

// Resources of one kernel of a pass, and how many of its blocks an SM holds at once.
struct KernelFacts {
  std::string kernel;
  unsigned grid = 0;   // blocks
  unsigned block = 0;  // threads per block
  unsigned registers_per_thread = 0;
  unsigned shared_bytes_per_block = 0;  // static and dynamic shared memory
  unsigned local_bytes_per_thread = 0;
  unsigned resident_blocks_per_sm = 0;
};
// In launch order. Empty when nothing is launched (n = 0), or when a library or the host does the
// work.
std::vector<KernelFacts> kernel_facts(const Point& point);

struct Verification {
  std::uint32_t passes = 0;          // number of passes run and compared with the host
  std::uint64_t wrong_elements = 0;  // over all comparisons
  std::string first_difference;      // "" when there is none

  bool ok() const { return wrong_elements == 0; }
};
// Compares every pass with the reference's result for the pass before; for a radix sort this is the
// stable partition by the bit. It also compares the final output with the reference, and the input
// with its original content. The target of a pass is overwritten before the pass.
Verification verify(const Point& point, InputCache& inputs);

enum class Mode { kWarm, kCold, kSingle };
std::string mode_name(Mode mode);  // "warm", "cold", "single"

struct Measurement {
  TimeSummary time;                      // of the whole program, all passes
  StopReason stop = StopReason::kNoise;  // of the last round
  // Compared elements of all checked outputs; all were correct.
  std::uint64_t checked_elements = 0;
  std::string clock_note;  // why clocks were not read; "" when they were
};
// The time of all passes, captured in one graph.
// Warm: the graph is replayed back to back; a short program is repeated within the graph.
// Cold: one replay per sample, after the L2 cache was overwritten.
// Single: one replay per sample without overwriting. The difference between cold and single is the
// benefit of the cache.
// The output is compared with the reference before and after; a difference is error 1, without a
// time.
Measurement measure(const Point& point, Mode mode, const SamplingRules& rules, InputCache& inputs);

// Runs every item of the plan from a stream, and enables the profiler only for the selected passes.
// It writes the manifest: one JSON line per profiled launch, in launch order. Run it under `ncu
// --profile-from-start off` (see counts.h). The output is checked as in measure(). Error 2 for a
// program without own kernels.
void run_for_profiler(const std::vector<ProfileItem>& plan, const std::string& manifest_path,
                      InputCache& inputs);

}  // namespace pnsim::gpu
