// When enough samples were taken, which of them count, and what is reported of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/nvml.h"

namespace pnsim::gpu {

struct SamplingRules {
  int min_samples = 30;
  int max_samples = 1000;
  double max_rel_error = 0.001;  // standard error of the median, relative: low noise stops early
  double time_limit_s = 2.0;     // of one point, the warm-up included
  double warm_up_s = 0.05;
  double min_sample_us = 2000.0;  // warm: a sample repeats the program until it lasts as long
  double min_clock_share = 0.9;   // of the point's highest clock; below it, a sample is rejected
};

enum class StopReason { kNoise, kSamples, kTime };
std::string stop_name(StopReason reason);  // "noise", "samples", "time"

struct TimeSummary {
  int samples = 0;   // accepted
  int rejected = 0;  // taken under a lowered clock
  double median_us = 0;
  double p05_us = 0;  // quantiles of the accepted samples
  double p95_us = 0;
  double rel_mad = 0;         // median absolute deviation over median
  unsigned sm_clock_mhz = 0;  // median over accepted samples; 0 where it cannot be read
};

// The samples of one point.
class SampleLog {
 public:
  explicit SampleLog(const SamplingRules& rules) : rules_(rules) {}

  // One sample with the clock readings before and after it.
  void add(double us, const ClockReading& before, const ClockReading& after);

  // Set once sampling should end; elapsed_s counts from the start of the warm-up.
  std::optional<StopReason> done(double elapsed_s) const;

  // Needs at least one accepted sample: error 4 otherwise, since no time was measured.
  TimeSummary summarize() const;

 private:
  struct Sample {
    double us;
    unsigned lowest_clock_mhz;
    bool throttled;
  };

  // Judged at the end: the highest clock is not known before.
  std::vector<Sample> accepted() const;
  std::vector<double> accepted_us() const;

  SamplingRules rules_;
  std::vector<Sample> samples_;
  unsigned highest_clock_mhz_ = 0;
};

// Standard error of the median of these times over the median, from the median absolute deviation
// (as for a normal distribution). At least one sample.
double relative_error_of_median(const std::vector<double>& us);

}  // namespace pnsim::gpu
