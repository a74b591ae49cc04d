#include "gpu/sampling.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulator/base/error.h"
#include "simulator/base/stats.h"

namespace pnsim::gpu {
namespace {

constexpr double kSigmaPerMad = 1.4826;          // for a normal distribution
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
                      is_throttled(before.throttle_reasons | after.throttle_reasons),
                      first_of_round_});
}

std::vector<SampleLog::Sample> SampleLog::accepted(std::size_t first) const {
  const double lowest_mhz = rules_.min_clock_share * highest_clock_mhz_;
  std::vector<Sample> accepted;
  std::copy_if(samples_.begin() + static_cast<std::ptrdiff_t>(first), samples_.end(),
               std::back_inserter(accepted), [&](const Sample& sample) {
                 return !sample.throttled && sample.lowest_clock_mhz >= lowest_mhz;
               });
  return accepted;
}

std::vector<double> SampleLog::accepted_us(std::size_t first) const {
  std::vector<double> us;
  for (const Sample& sample : accepted(first)) us.push_back(sample.us);
  return us;
}

std::vector<double> SampleLog::round_medians() const {
  std::map<std::size_t, std::vector<double>> rounds;
  for (const Sample& sample : accepted(0)) rounds[sample.round_start].push_back(sample.us);
  std::vector<double> medians;
  for (const auto& [start, us] : rounds) medians.push_back(median(us));
  return medians;
}

std::optional<StopReason> SampleLog::done(double elapsed_s) const {
  const double rounds = rules_.rounds;
  const auto taken = static_cast<double>(samples_.size() - first_of_round_);
  if (elapsed_s >= rules_.time_limit_s / rounds) return StopReason::kTime;
  if (taken >= rules_.max_samples / rounds) return StopReason::kSamples;
  const std::vector<double> us = accepted_us(first_of_round_);
  if (static_cast<double>(us.size()) < std::max(1.0, rules_.min_samples / rounds)) {
    return std::nullopt;
  }
  const bool is_known = relative_error_of_median(us) <= rules_.max_rel_error * std::sqrt(rounds);
  return is_known ? std::optional(StopReason::kNoise) : std::nullopt;
}

TimeSummary SampleLog::summarize() const {
  const std::vector<double> us = accepted_us(0);
  if (us.empty()) {
    fail_unavailable("no sample was accepted: all " + std::to_string(samples_.size()) +
                     " were taken at a reduced clock; let the GPU cool down or stop its "
                     "other work, then measure again");
  }
  std::vector<double> clocks_mhz;
  for (const Sample& sample : accepted(0)) clocks_mhz.push_back(sample.lowest_clock_mhz);
  const std::vector<double> medians = round_medians();
  const Interval ci95 = medians.size() > 1 ? mean_ci95(medians) : Interval{0, 0};
  return {.samples = static_cast<int>(us.size()),
          .rejected = static_cast<int>(samples_.size() - us.size()),
          .rounds = static_cast<int>(medians.size()),
          .median_us = mean(medians),
          .ci95_low_us = ci95.low,
          .ci95_high_us = ci95.high,
          .mean_us = mean(us),
          .p05_us = quantile(us, 0.05),
          .p95_us = quantile(us, 0.95),
          .rel_mad = relative_mad(us),
          .sm_clock_mhz = static_cast<unsigned>(median(clocks_mhz))};
}

}  // namespace pnsim::gpu
