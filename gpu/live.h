// Running the programs: device facts, verification, times, profiles. Host only. Programs of the
// catalogue that run on the CPU do so in every build; of the others, a build without CUDA has the
// same functions, which throw error 4 with the way to a build that can. Errors of the CUDA runtime
// name file, line and call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/input_cache.h"
#include "gpu/point.h"
#include "gpu/profile_plan.h"
#include "gpu/reference.h"
#include "gpu/sampling.h"

namespace pnsim::gpu {

// Whether this build can run kernels at all.
bool live_built();

// Why no kernel can run here (no CUDA in the build, no driver, no device), one sentence with the
// remedy; nothing when one can.
std::optional<std::string> unavailable_reason();

// One number of the device, or a fact that is a text (then value is 0 and unit is empty).
struct DeviceFact {
  std::string name;  // "shared_memory_per_sm"
  double value;
  std::string unit;    // "byte"
  std::string source;  // where it was read: "cudaDeviceProp.sharedMemPerMultiprocessor"
  std::string text;    // "NVIDIA H200"
};

struct DeviceFacts {
  std::string name;  // "NVIDIA H200"
  unsigned sms = 0;
  std::string driver;              // "580.159.04"; the CUDA version of the driver without NVML
  std::string cuda;                // of the runtime that is linked: "13.0"
  std::string compute_capability;  // "9.0"
  std::vector<DeviceFact> facts;   // all of them, these included

  const DeviceFact& fact(std::string_view name) const;  // error 70 when there is none
};
DeviceFacts query_device();

// The CPU of this machine, where programs of the host run: its name alone.
DeviceFacts host_facts();

// Where the program's times are taken: query_device or host_facts.
DeviceFacts device_of_program(const std::string& program);

// What one kernel of a pass takes, and how many of its blocks an SM holds at once.
struct KernelFacts {
  std::string kernel;
  unsigned grid = 0;   // blocks
  unsigned block = 0;  // threads a block
  unsigned registers_per_thread = 0;
  unsigned shared_bytes_per_block = 0;  // static and dynamic
  unsigned local_bytes_per_thread = 0;
  unsigned resident_blocks_per_sm = 0;
};
// In the order of the launches. Empty where nothing is launched (n = 0) or the launches are not
// ours: a library's, the host's.
std::vector<KernelFacts> kernel_facts(const Point& point);

struct Verification {
  std::uint32_t passes = 0;          // run and compared with the host, one by one
  std::uint64_t wrong_elements = 0;  // over all comparisons
  std::string first_difference;      // "" when there is none

  bool ok() const { return wrong_elements == 0; }
};
// Compares every pass with what the reference makes of the pass before (of a radix sort, the stable
// partition by its bit), the end with the reference's result, and the input with what it was. What
// a pass writes is overwritten before it.
Verification verify(const Point& point, InputCache& inputs);

enum class Mode { kWarm, kCold, kSingle };
std::string mode_name(Mode mode);  // "warm", "cold", "single"

struct Measurement {
  TimeSummary time;                      // of the whole program: all passes
  StopReason stop = StopReason::kNoise;  // of the last round
  std::uint64_t checked_elements = 0;    // of every output that was compared: all were right
  std::string clock_note;                // why clocks were not read; "" when they were
};
// The time of all passes, captured in one graph. Warm: replayed back to back, a program of few
// launches several times in one graph. Cold: one replay a sample, with the L2 cache overwritten
// before it. Single: one replay a sample too, and nothing is overwritten; what cold adds to it is
// what the cache was worth. The output is compared with the reference
// before and after; a difference is error 1 and no time.
Measurement measure(const Point& point, Mode mode, const SamplingRules& rules, InputCache& inputs);

// Runs every item of the plan from a stream, with the profiler switched on for the wanted passes
// only, and writes the manifest: one JSON line a profiled launch, in launch order. To be run under
// `ncu --profile-from-start off` (see counts.h). The output is checked as in measure.
// Error 2 for a program without own kernels.
void run_for_profiler(const std::vector<ProfileItem>& plan, const std::string& manifest_path,
                      InputCache& inputs);

}  // namespace pnsim::gpu
