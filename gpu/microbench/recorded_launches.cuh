// For microbenchmarks whose launches the recorder times. It must be there before the first use of
// CUDA, so a second process of `experiment` makes the launches.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/microbench/bench.cuh"
#include "gpu/record.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {

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
    add(record_microbenchmark(microbenchmark, find_recorder()), out);
  } catch (const Error& error) {
    bench.skip(error.what());
  }
  return out;
}

}  // namespace pnsim::gpu
