// Microbenchmarks: each measures one hardware unit in isolation and states which number of a device
// profile it determines. Host only; a build without CUDA can list them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pnsim::gpu {

struct Microbenchmark {
  std::string name;        // "latency_arithmetic": also the bench of its values
  std::string what;        // what runs, in one sentence
  std::string determines;  // the device property that it determines
};

// In execution order. Launch benchmarks come first, because earlier work of the process makes
// launches slower.
const std::vector<Microbenchmark>& microbenchmarks();

// One setting of an axis: a number, or a text (then the number is unused).
struct MicroSetting {
  std::string axis;
  std::string text;  // "" for a number
  std::int64_t number = 0;
};

// One measured number: the median of repeated samples.
struct MicroValue {
  std::string bench;
  std::vector<MicroSetting> settings;
  double value = 0;
  std::string unit;    // "cycle", "warp instruction/cycle", "GB/s" ...
  double rel_mad = 0;  // median absolute deviation of the samples over their median
  int samples = 0;
};

// What the driver (NVML) said around one microbenchmark. Without NVML nothing is known, and `note`
// says why.
struct MicroConditions {
  unsigned sm_clock_mhz = 0;     // behind the last kernel; 0 when it cannot be read
  bool is_throttled = false;     // the driver reduced the clock before or behind it
  unsigned other_processes = 0;  // processes beside this one that have work on the GPU
  std::string note;              // "" when the driver was asked
};

struct MicroRun {
  std::vector<MicroValue> values;
  std::string skipped;  // why there are no or fewer values on this GPU; "" when nothing is missing
  MicroConditions conditions;
};

// Call it before this process uses the GPU in another way: the processes that the driver lists then
// are others'. Without a GPU or NVML it does nothing.
void note_other_processes();

// All values of one microbenchmark, on CUDA device 0. Error 2 with the nearest name for an unknown
// one, error 4 when no kernel can run.
MicroRun run_microbenchmark(const std::string& name);

}  // namespace pnsim::gpu
