#include "gpu/sampling.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim::gpu {
namespace {

constexpr double kSigmaPerMad = 1.4826;          // of a normal distribution
constexpr double kMedianErrorPerSigma = 1.2533;  // times 1 / sqrt(samples): sqrt(pi / 2)

}  // namespace

std::string stop_name(StopReason reason) {
  switch (reason) {
    case StopReason::kNoise:
      return "noise";
    case StopReason::kSamples:
      return "samples";
    case StopReason::kTime:
      return "time";
  }
  throw Error(ExitCode::kInternal, "a stop reason without a name");
}

double relative_error_of_median(const std::vector<double>& us) {
  return relative_mad(us) * kSigmaPerMad * kMedianErrorPerSigma /
         std::sqrt(static_cast<double>(us.size()));
}

void SampleLog::add(double us, const ClockReading& before, const ClockReading& after) {
  highest_clock_mhz_ = std::max({highest_clock_mhz_, before.sm_clock_mhz, after.sm_clock_mhz});
  samples_.push_back({us, std::min(before.sm_clock_mhz, after.sm_clock_mhz),
                      is_throttled(before.throttle_reasons | after.throttle_reasons)});
}

std::vector<SampleLog::Sample> SampleLog::accepted() const {
  const double lowest_mhz = rules_.min_clock_share * highest_clock_mhz_;
  std::vector<Sample> accepted;
  std::copy_if(samples_.begin(), samples_.end(), std::back_inserter(accepted),
               [&](const Sample& sample) {
                 return !sample.throttled && sample.lowest_clock_mhz >= lowest_mhz;
               });
  return accepted;
}

std::vector<double> SampleLog::accepted_us() const {
  std::vector<double> us;
  for (const Sample& sample : accepted()) us.push_back(sample.us);
  return us;
}

std::optional<StopReason> SampleLog::done(double elapsed_s) const {
  if (elapsed_s >= rules_.time_limit_s) return StopReason::kTime;
  if (static_cast<int>(samples_.size()) >= rules_.max_samples) return StopReason::kSamples;
  const std::vector<double> us = accepted_us();
  if (static_cast<int>(us.size()) < std::max(1, rules_.min_samples)) return std::nullopt;
  if (relative_error_of_median(us) <= rules_.max_rel_error) return StopReason::kNoise;
  return std::nullopt;
}

TimeSummary SampleLog::summarize() const {
  const std::vector<double> us = accepted_us();
  if (us.empty()) {
    fail_unavailable("no sample could be kept: all " + std::to_string(samples_.size()) +
                     " were taken under a lowered clock; let the GPU cool down or free it of "
                     "other work, then measure again");
  }
  std::vector<double> clocks_mhz;
  for (const Sample& sample : accepted()) clocks_mhz.push_back(sample.lowest_clock_mhz);
  return {.samples = static_cast<int>(us.size()),
          .rejected = static_cast<int>(samples_.size() - us.size()),
          .median_us = median(us),
          .p05_us = quantile(us, 0.05),
          .p95_us = quantile(us, 0.95),
          .rel_mad = relative_mad(us),
          .sm_clock_mhz = static_cast<unsigned>(median(clocks_mhz))};
}

}  // namespace pnsim::gpu
