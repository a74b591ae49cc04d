// For microbenchmarks whose launches the recorder times. It must be there before the first use of
// CUDA, so a second process of `experiment` makes the launches.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/microbench/bench.cuh"
#include "gpu/record.h"
#include "simulator/base/error.h"
#include "simulator/base/leftovers.h"

namespace pnsim::gpu {

// The launches that the microbenchmark makes in the second process, which may take 60 s. Error 4
// where there is no recorder.
inline std::vector<RecordedLaunch> launches_of_second_process(
    const std::string& microbenchmark, RecordKind kind = RecordKind::kInstrumented) {
  namespace fs = std::filesystem;
  constexpr double kLimitSeconds = 60;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "experiment";
  if (!fs::exists(program)) fail_unavailable("there is no " + program.string());
  const TemporaryFolder folder;
  return record_launches({program.string(), "microbench", "-q", "--out",
                          folder.path() + "/rows.jsonl", microbenchmark},
                         find_recorder(), folder.path() + "/launches.jsonl", kLimitSeconds, kind);
}

// CUPTI's times are multiples of 32 ns on some GPUs: the mean is finer than the median. The first
// tenth is left out, which comes before the clock has risen, and of the rest the 5 % at each end.
inline Sampled trimmed(std::vector<double> ns) {
  ns.erase(ns.begin(), ns.begin() + static_cast<long>(ns.size() / 10));
  Sampled sampled = summary(ns);
  std::sort(ns.begin(), ns.end());
  const auto cut = static_cast<long>(ns.size() / 20);
  const std::vector<double> middle(ns.begin() + cut, ns.end() - cut);
  sampled.median = std::reduce(middle.begin(), middle.end()) / static_cast<double>(middle.size());
  return sampled;
}

// The values of a microbenchmark whose launches the recorder times. The second process calls
// `launch` and has no values; the first one gets its launches and calls `add`. Without a recorder
// the microbenchmark is skipped.
template <class Launch, class Add>
std::vector<MicroValue> values_of_recorded(Bench& bench, const std::string& microbenchmark,
                                           Launch launch, Add add) {
  std::vector<MicroValue> out;
  if (std::getenv("PNSIM_RECORD_FILE") != nullptr) {
    launch();
    bench.skip("this process is recorded already: its launches are made without a value");
    return out;
  }
  try {
    add(launches_of_second_process(microbenchmark), out);
  } catch (const Error& error) {
    bench.skip(error.what());
  }
  return out;
}

}  // namespace pnsim::gpu
