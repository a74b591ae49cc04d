#include "gpu/sampling.h"

#include <gtest/gtest.h>

#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

constexpr ClockReading kFull = {1980, 0};
constexpr ClockReading kPowerCapped = {1980, 0x4};
constexpr ClockReading kIdleBit = {1980, 0x1};
constexpr ClockReading kSlow = {1500, 0};

void add_many(SampleLog& log, int count, double us, const ClockReading& clock = kFull) {
  for (int i = 0; i < count; ++i) log.add(us, clock, clock);
}

TEST(Sampling, StopsOnceTheMedianIsKnownWellEnough) {
  SampleLog log(SamplingRules{.rounds = 1, .min_samples = 10});
  add_many(log, 9, 100.0);
  EXPECT_FALSE(log.done(0.1).has_value());
  log.add(100.0, kFull, kFull);
  EXPECT_EQ(log.done(0.1), StopReason::kNoise);
}

TEST(Sampling, GoesOnWhileSamplesAreNoisy) {
  SampleLog log(SamplingRules{.rounds = 1, .min_samples = 4, .max_rel_error = 0.001});
  for (int i = 0; i < 10; ++i) add_many(log, 1, i % 2 == 0 ? 100.0 : 120.0);
  EXPECT_FALSE(log.done(0.1).has_value());
}

TEST(Sampling, StopsAtTheLimits) {
  SampleLog log(
      SamplingRules{.rounds = 1, .min_samples = 10, .max_samples = 3, .time_limit_s = 1.0});
  add_many(log, 2, 100.0);
  EXPECT_EQ(log.done(1.0), StopReason::kTime);
  add_many(log, 1, 100.0);
  EXPECT_EQ(log.done(0.5), StopReason::kSamples);
}

TEST(Sampling, SamplesUnderAHeldDownClockDoNotCount) {
  SampleLog log(SamplingRules{.rounds = 1});
  add_many(log, 5, 100.0);
  add_many(log, 3, 500.0, kPowerCapped);
  log.add(400.0, kFull, kSlow);
  log.add(400.0, kSlow, kFull);
  const TimeSummary summary = log.summarize();
  EXPECT_EQ(summary.samples, 5);
  EXPECT_EQ(summary.rejected, 5);
  EXPECT_DOUBLE_EQ(summary.p95_us, 100.0);
  EXPECT_EQ(summary.sm_clock_mhz, 1980u);
}

TEST(Sampling, AClockThatRisesLaterStillRejectsTheSlowStart) {
  SampleLog log(SamplingRules{.rounds = 1});
  add_many(log, 3, 200.0, kSlow);
  add_many(log, 4, 100.0);
  EXPECT_EQ(log.summarize().samples, 4);
}

TEST(Sampling, WithoutClocksEverySampleCounts) {
  SampleLog log(SamplingRules{.rounds = 1});
  add_many(log, 4, 100.0, ClockReading{});
  EXPECT_EQ(log.summarize().samples, 4);
  EXPECT_EQ(log.summarize().sm_clock_mhz, 0u);
}

TEST(Sampling, ReportsMedianQuantilesAndSpread) {
  SampleLog log(SamplingRules{.rounds = 1});
  for (int i = 0; i <= 100; ++i) add_many(log, 1, 100.0 + i);
  const TimeSummary summary = log.summarize();
  EXPECT_DOUBLE_EQ(summary.median_us, 150.0);
  EXPECT_DOUBLE_EQ(summary.p05_us, 105.0);
  EXPECT_DOUBLE_EQ(summary.p95_us, 195.0);
  EXPECT_NEAR(summary.rel_mad, 25.0 / 150.0, 1e-12);
}

TEST(Sampling, EachRoundHasItsShareOfTheLimits) {
  SampleLog log(
      SamplingRules{.rounds = 2, .min_samples = 10, .max_samples = 40, .time_limit_s = 4});
  add_many(log, 4, 100.0);
  EXPECT_FALSE(log.done(1.9).has_value());
  EXPECT_EQ(log.done(2.0), StopReason::kTime);
  add_many(log, 1, 100.0);
  EXPECT_EQ(log.done(0.1), StopReason::kNoise);
  log.begin_round();
  EXPECT_FALSE(log.done(0.1).has_value());
  for (int i = 0; i < 20; ++i) log.add(i % 2 == 0 ? 100.0 : 150.0, kFull, kFull);
  EXPECT_EQ(log.done(0.1), StopReason::kSamples);
}

TEST(Sampling, TheTimeIsTheMeanOfTheMediansOfTheRoundsWithItsInterval) {
  SampleLog log(SamplingRules{.rounds = 3});
  add_many(log, 9, 100.0);
  log.begin_round();
  add_many(log, 1, 102.0);
  log.begin_round();
  add_many(log, 2, 104.0);
  const TimeSummary summary = log.summarize();
  EXPECT_EQ(summary.rounds, 3);
  EXPECT_DOUBLE_EQ(summary.median_us, 102.0);
  // Student's t with 2 degrees of freedom: 4.3027 * 2 / sqrt(3).
  EXPECT_NEAR(summary.ci95_high_us - 102.0, 4.968, 1e-3);
  EXPECT_NEAR(102.0 - summary.ci95_low_us, 4.968, 1e-3);
  EXPECT_DOUBLE_EQ(summary.mean_us, (900.0 + 102.0 + 208.0) / 12);
}

TEST(Sampling, ARoundWithNoAcceptedSampleDoesNotCount) {
  SampleLog log(SamplingRules{.rounds = 2});
  add_many(log, 3, 100.0);
  log.begin_round();
  add_many(log, 3, 300.0, kPowerCapped);
  const TimeSummary summary = log.summarize();
  EXPECT_EQ(summary.rounds, 1);
  EXPECT_DOUBLE_EQ(summary.median_us, 100.0);
  EXPECT_DOUBLE_EQ(summary.ci95_high_us, 0.0);
}

TEST(Sampling, NothingKeptIsAnError) {
  SampleLog log(SamplingRules{.rounds = 1});
  add_many(log, 3, 100.0, kPowerCapped);
  try {
    log.summarize();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUnavailable);
  }
}

TEST(Throttling, IdleIsNoThrottling) {
  EXPECT_FALSE(is_throttled(0));
  EXPECT_FALSE(is_throttled(kIdleBit.throttle_reasons));
  for (std::uint64_t reason : {0x4u, 0x8u, 0x20u, 0x40u, 0x80u}) EXPECT_TRUE(is_throttled(reason));
}

TEST(Sampling, ErrorOfTheMedianFallsWithTheRootOfTheSamples) {
  std::vector<double> few;
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) few.push_back(100 + i % 10);
  for (int i = 0; i < 400; ++i) many.push_back(100 + i % 10);
  EXPECT_NEAR(relative_error_of_median(few) / relative_error_of_median(many), 2.0, 1e-9);
}

}  // namespace
}  // namespace pnsim::gpu
