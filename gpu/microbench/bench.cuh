// Shared by all microbenchmarks: repeated samples, times in cycles and in nanoseconds,
// registration.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/live/cuda_handles.h"
#include "gpu/microbench.h"

namespace pnsim::gpu {

struct Sampled {
  double median = 0;
  double rel_mad = 0;
  int samples = 0;
};

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

inline Sampled summary(const std::vector<double>& values) {
  const double median = median_of(values);
  std::vector<double> off;
  for (const double v : values) off.push_back(std::abs(v - median));
  return {median, median == 0 ? 0 : median_of(off) / std::abs(median),
          static_cast<int>(values.size())};
}

// Calls `once` one time as a warm-up, then `samples` times; each call returns one value.
inline Sampled sample(const std::function<double()>& once, int samples = 11) {
  once();
  std::vector<double> values;
  for (int i = 0; i < samples; ++i) values.push_back(once());
  return summary(values);
}

class Bench {
 public:
  Bench() : cycles_(2 * kMaxBlocks) {
    PNSIM_CUDA(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, 0));
    PNSIM_CUDA(cudaDeviceGetAttribute(&khz_, cudaDevAttrClockRate, 0));
    PNSIM_CUDA(cudaDeviceGetAttribute(&major_, cudaDevAttrComputeCapabilityMajor, 0));
    PNSIM_CUDA(cudaDeviceGetAttribute(&minor_, cudaDevAttrComputeCapabilityMinor, 0));
  }

  int sms() const { return sms_; }
  // The reason why the benchmark, or a part of it, cannot run on this GPU. It is shown to the user.
  void skip(const std::string& reason) { skipped_ += (skipped_.empty() ? "" : "; ") + reason; }
  const std::string& skipped() const { return skipped_; }
  // True on GPUs of at least this compute capability (90: 9.0), or `only` of it: code for 9.0a runs
  // nowhere else. Otherwise the reason is noted.
  bool has_capability(int least, const char* what, bool only = false) {
    const int found = 10 * major_ + minor_;
    if (only ? found == least : found >= least) return true;
    skip(std::string(what) + " needs compute capability " + std::to_string(least / 10) + "." +
         std::to_string(least % 10) + (only ? "" : " or newer") + ", this GPU has " +
         std::to_string(major_) + "." + std::to_string(minor_));
    return false;
  }
  double cycles_per_ns() const { return khz_ / 1e6; }  // at the clock rate that the driver reports
  cudaStream_t stream() const { return stream_.get(); }

  // Kernels write the duration of block b in cycles to cycles()[b].
  static constexpr std::size_t kMaxBlocks = 4096;
  long long* cycles() const { return reinterpret_cast<long long*>(cycles_.get()); }
  // Destination for results that are not used, so that the compiler keeps their computation.
  std::uint32_t* sink() const { return sink_.get(); }

  // Runs `launch` and returns the cycles of block 0.
  double cycles_of(const std::function<void()>& launch) const {
    launch();
    PNSIM_CUDA(cudaGetLastError());
    stream_.wait();
    long long cycles = 0;
    PNSIM_CUDA(cudaMemcpy(&cycles, this->cycles(), sizeof cycles, cudaMemcpyDeviceToHost));
    return static_cast<double>(cycles);
  }

  // Runs `launch` between two events and returns nanoseconds.
  double ns_of(const std::function<void()>& launch) {
    timer_.start(stream_.get());
    launch();
    PNSIM_CUDA(cudaGetLastError());
    timer_.stop(stream_.get());
    return 1000.0 * timer_.wait_us();
  }

  void add(std::vector<MicroValue>& out, const char* bench, std::vector<MicroSetting> settings,
           const Sampled& sampled, const char* unit, double scale = 1) const {
    out.push_back({bench, std::move(settings), sampled.median * scale, unit, sampled.rel_mad,
                   sampled.samples});
  }

 private:
  int sms_ = 0;
  int khz_ = 0;
  int major_ = 0, minor_ = 0;
  std::string skipped_;
  Stream stream_;
  EventTimer timer_;
  DeviceWords cycles_, sink_{1024};
};

// Nanoseconds per launch, back to back in a graph.
inline Sampled sample_in_graph(Bench& bench, const std::function<void()>& launch,
                               int launches = 500) {
  const Graph graph(bench.stream(), [&] {
    for (int i = 0; i < launches; ++i) launch();
  });
  Sampled s = sample([&] { return bench.ns_of([&] { graph.launch(bench.stream()); }); });
  s.median /= launches;
  return s;
}

using MicroFunction = std::vector<MicroValue> (*)(Bench&);
// Each .cu file calls it before main starts. It returns true so that it can initialise a constant.
bool register_microbenchmark(const char* name, MicroFunction function);
MicroFunction find_microbenchmark(const std::string& name);  // null when there is no such benchmark

}  // namespace pnsim::gpu
