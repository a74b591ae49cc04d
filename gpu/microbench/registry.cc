#include <map>

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

}  // namespace

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
  const bool was_throttled = nvml && is_throttled(nvml->read().throttle_reasons);
  out.values = function(bench);
  if (!nvml) return out;
  const ClockReading after = nvml->read();
  out.conditions.sm_clock_mhz = after.sm_clock_mhz;
  out.conditions.is_throttled = was_throttled || is_throttled(after.throttle_reasons);
  out.conditions.other_processes = nvml->other_processes();
  return out;
}

}  // namespace pnsim::gpu
