// When enough samples were taken, which of them count, and what is reported of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/nvml.h"

namespace pnsim::gpu {

// A point is measured in rounds, each with memory and a graph of its own: where buffers lie moves
// times more than samples at one place tell. The limits are of all rounds together, each has its
// share of them.
struct SamplingRules {
  int rounds = 5;
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
  int samples = 0;         // accepted
  int rejected = 0;        // taken under a lowered clock
  int rounds = 0;          // with an accepted sample
  double median_us = 0;    // mean over the rounds of the median of each
  double ci95_low_us = 0;  // of it, by Student's t over the rounds; both 0 for a single one
  double ci95_high_us = 0;
  double mean_us = 0;
  double p05_us = 0;  // quantiles of the accepted samples
  double p95_us = 0;
  double rel_mad = 0;         // median absolute deviation over median
  unsigned sm_clock_mhz = 0;  // median over accepted samples; 0 where it cannot be read
};

// The samples of one point.
class SampleLog {
 public:
  explicit SampleLog(const SamplingRules& rules) : rules_(rules) {}

  // Samples from here on are of the next round; the first one needs no call.
  void begin_round() { first_of_round_ = samples_.size(); }

  // One sample with the clock readings before and after it.
  void add(double us, const ClockReading& before, const ClockReading& after);

  // Set once the round should end; elapsed_s counts from its start, the warm-up included.
  std::optional<StopReason> done(double elapsed_s) const;

  // Needs at least one accepted sample: error 4 otherwise, since no time was measured.
  TimeSummary summarize() const;

 private:
  struct Sample {
    double us;
    unsigned lowest_clock_mhz;
    bool throttled;
    std::size_t round_start;
  };

  // Judged at the end: the highest clock is not known before.
  std::vector<Sample> accepted(std::size_t first) const;
  std::vector<double> accepted_us(std::size_t first) const;
  std::vector<double> round_medians() const;

  SamplingRules rules_;
  std::vector<Sample> samples_;
  std::size_t first_of_round_ = 0;
  unsigned highest_clock_mhz_ = 0;
};

// Standard error of the median of these times over the median, from the median absolute deviation
// (as for a normal distribution). At least one sample.
double relative_error_of_median(const std::vector<double>& us);

}  // namespace pnsim::gpu
