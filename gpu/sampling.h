// Decides when enough samples were taken and which of them count, and computes the reported
// statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/nvml.h"

namespace pnsim::gpu {

// A point is measured in rounds, each with its own memory and graph. The placement of buffers
// changes times more than repeated samples at one placement show. The limits apply to all rounds
// together; each round gets an equal share.
struct SamplingRules {
  int rounds = 5;
  int min_samples = 30;
  int max_samples = 1000;
  // Relative standard error of the median; at low noise sampling stops early.
  double max_rel_error = 0.001;
  double time_limit_s = 2.0;  // per point, including the warm-up
  double warm_up_s = 0.05;
  double min_sample_us = 2000.0;  // warm: a sample repeats the program until it lasts this long
  // Relative to the point's highest clock; a sample below it is rejected.
  double min_clock_share = 0.9;
};

enum class StopReason { kNoise, kSamples, kTime };
std::string stop_name(StopReason reason);  // "noise", "samples", "time"

struct TimeSummary {
  int samples = 0;       // accepted
  int rejected = 0;      // taken at a reduced clock
  int rounds = 0;        // rounds with an accepted sample
  double median_us = 0;  // mean of the medians of the rounds
  // Interval of median_us by Student's t over the rounds; both 0 for a single round.
  double ci95_low_us = 0;
  double ci95_high_us = 0;
  double mean_us = 0;
  double p05_us = 0;  // quantiles of the accepted samples
  double p95_us = 0;
  double rel_mad = 0;         // median absolute deviation over the median
  unsigned sm_clock_mhz = 0;  // median over accepted samples; 0 where it cannot be read
};

// The samples of one point.
class SampleLog {
 public:
  explicit SampleLog(const SamplingRules& rules) : rules_(rules) {}

  // Starts the next round; the first round needs no call.
  void begin_round() { first_of_round_ = samples_.size(); }

  // Adds one sample with the clock readings before and after it.
  void add(double us, const ClockReading& before, const ClockReading& after);

  // Set when the round should end; elapsed_s counts from the start of the round, including the
  // warm-up.
  std::optional<StopReason> done(double elapsed_s) const;

  // Needs at least one accepted sample; otherwise error 4, because no time was measured.
  TimeSummary summarize() const;

 private:
  struct Sample {
    double us;
    unsigned lowest_clock_mhz;
    bool throttled;
    std::size_t round_start;
  };

  // Evaluated at the end, because the highest clock is not known before.
  std::vector<Sample> accepted(std::size_t first) const;
  std::vector<double> accepted_us(std::size_t first) const;
  std::vector<double> round_medians() const;

  SamplingRules rules_;
  std::vector<Sample> samples_;
  std::size_t first_of_round_ = 0;
  unsigned highest_clock_mhz_ = 0;
};

// Relative standard error of the median of these times, from the median absolute deviation (under a
// normal distribution). Needs at least one sample.
double relative_error_of_median(const std::vector<double>& us);

}  // namespace pnsim::gpu
