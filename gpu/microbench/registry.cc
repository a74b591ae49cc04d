#include <map>

#include "gpu/live/checks.h"
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

std::vector<MicroValue> run_microbenchmark(const std::string& name) {
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
  return function(bench);
}

}  // namespace pnsim::gpu
