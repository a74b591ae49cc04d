#include <map>

#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/clocks.h"
#include "gpu/microbench/bench.cuh"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::gpu {
namespace {

// Created on first use, because registration runs before main and the order of the files is
// undefined.
std::map<std::string, MicroFunction>& registry() {
  static std::map<std::string, MicroFunction> functions;
  return functions;
}

ProcessBaseline& process_baseline() {
  static ProcessBaseline baseline;
  return baseline;
}

// The list after the first context of this process was made.
void note_own_process(const Nvml& nvml) {
  static bool is_noted = false;
  if (!is_noted) process_baseline().with_us = nvml.processes();
  is_noted = true;
}

}  // namespace

void note_other_processes() {
  if (unavailable_reason()) return;
  std::string why;
  if (const std::unique_ptr<Nvml> nvml = open_clocks(&why)) {
    process_baseline().before_us = nvml->processes();
  }
}

bool register_microbenchmark(const char* name, MicroFunction function) {
  registry()[name] = function;
  return true;
}

MicroFunction find_microbenchmark(const std::string& name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : found->second;
}

MicroRun run_microbenchmark(const std::string& name) {
  std::vector<std::string> known;
  for (const Microbenchmark& bench : microbenchmarks()) known.push_back(bench.name);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    fail_usage("unknown microbenchmark \"" + name + "\"" + suggestion(name, known));
  }
  need_device();
  const MicroFunction function = find_microbenchmark(name);
  if (function == nullptr) {
    throw Error(ExitCode::kInternal, "no code is registered for microbenchmark " + name);
  }
  Bench bench;
  MicroRun out;
  const std::unique_ptr<Nvml> nvml = open_clocks(&out.conditions.note);
  if (nvml) note_own_process(*nvml);
  const bool was_throttled = nvml && is_throttled(nvml->read().throttle_reasons);
  out.values = function(bench);
  out.skipped = bench.skipped();
  if (!nvml) return out;
  const ClockReading after = nvml->read();
  out.conditions.sm_clock_mhz = after.sm_clock_mhz;
  out.conditions.is_throttled = was_throttled || is_throttled(after.throttle_reasons);
  out.conditions.other_processes = other_processes(nvml->processes(), process_baseline());
  return out;
}

}  // namespace pnsim::gpu
