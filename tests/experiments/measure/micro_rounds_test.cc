// Tests which numbers of repeated microbenchmarks are believed.
#include "experiments/measure/micro_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kClock = 1980;

InputJson row(const std::string& bench, const InputJson& axes, double value) {
  return {{"id", bench + axes.dump()},
          {"kind", "micro"},
          {"bench", bench},
          {"axes", axes},
          {"value", value},
          {"unit", "cycle"},
          {"rel_mad", 0.001},
          {"samples", 5},
          {"sm_clock_mhz", 1980},
          {"throttled", false},
          {"other_processes", 0},
          {"date", "2026-11-25T10:00:00Z"}};
}

InputJson latency(double value) { return row("latency_l1", InputJson::object(), value); }
InputJson clock_row(double mhz) { return row("sm_clock", InputJson::object(), mhz); }

TEST(MicroRounds, GiveTheMedianAndTheirRangeAsNoise) {
  const JudgedRounds out = judge_rounds({{latency(32)}, {latency(34)}, {latency(33)}}, kClock);
  ASSERT_EQ(out.rows.size(), 1u);
  EXPECT_EQ(out.rows[0]["value"], 33);
  EXPECT_NEAR(out.rows[0]["rel_mad"].get<double>(), 1.0 / 33, 1e-4);
  EXPECT_EQ(out.rows[0]["samples"], 15);
  EXPECT_EQ(out.rows[0]["rounds"], 3);
  EXPECT_THAT(out.rejected, IsEmpty());
  EXPECT_THAT(out.disputed, IsEmpty());
}

TEST(MicroRounds, ASampleFarFromTheOthersIsRejectedAndSaid) {
  const JudgedRounds out = judge_rounds({{latency(32)}, {latency(64)}, {latency(32.2)}}, kClock);
  ASSERT_EQ(out.rows.size(), 1u);
  EXPECT_NEAR(out.rows[0]["value"].get<double>(), 32.1, 1e-9);
  EXPECT_THAT(out.rejected,
              ElementsAre("Round 2, latency_l1: 64.00 is far from the median 32.20."));
}

TEST(MicroRounds, RoundsThatDoNotAgreeGiveNoNumber) {
  const JudgedRounds out = judge_rounds({{latency(32)}, {latency(64)}, {latency(128)}}, kClock);
  EXPECT_THAT(out.rows, IsEmpty());
  EXPECT_THAT(out.disputed, ElementsAre("latency_l1: the rounds do not agree, 32.00, 64.00 and "
                                        "128.0 cycle."));
}

TEST(MicroRounds, AThrottledClockIsRejectedByTheDriversWord) {
  InputJson hot = latency(32);
  hot["throttled"] = true;
  InputJson slow = latency(32);
  slow["sm_clock_mhz"] = 1410;
  const JudgedRounds out = judge_rounds({{hot}, {slow}, {latency(32)}}, kClock);
  EXPECT_THAT(out.rows, IsEmpty());
  EXPECT_THAT(out.rejected,
              ElementsAre("Round 1, latency_l1: the driver had throttled the clock (power or "
                          "temperature).",
                          "Round 2, latency_l1: the driver reported a clock of 1410 MHz of 1980 "
                          "MHz."));
  EXPECT_THAT(out.disputed, ElementsAre("latency_l1: 1 of its rounds count, and two are needed."));
}

// The clock that falls under sustained work is what this one measures.
TEST(MicroRounds, AThrottledClockIsNoFaultOfTheBenchmarkThatMeasuresIt) {
  InputJson hot = row("tensor_clock", {{"type", "f16_to_f32"}, {"when", "sustained"}}, 1410);
  hot["throttled"] = true;
  hot["sm_clock_mhz"] = 1410;
  const JudgedRounds out = judge_rounds({{hot}, {hot}}, kClock);
  EXPECT_EQ(out.rows.size(), 1u);
  EXPECT_THAT(out.rejected, IsEmpty());
}

// NVML may be missing: then the clock that was measured on the GPU itself decides.
TEST(MicroRounds, AThrottledClockIsRejectedByWhatTheGpuCounted) {
  const auto round = [](double mhz, double cycles) {
    std::vector<InputJson> rows{latency(cycles), clock_row(mhz)};
    for (InputJson& json : rows) {
      for (const char* key : {"sm_clock_mhz", "throttled", "other_processes"}) json[key] = nullptr;
    }
    return rows;
  };
  const JudgedRounds out =
      judge_rounds({round(1979, 32), round(1200, 32), round(1980, 32)}, kClock);
  EXPECT_EQ(out.rows.size(), 2u);
  EXPECT_THAT(out.rejected, ElementsAre("Round 2: the clock of the SMs was 1200 MHz of 1980 MHz "
                                        "(throttled or locked)."));
}

TEST(MicroRounds, AnotherProcessOnTheGpuIsRejectedAndSaidOncePerBenchmark) {
  InputJson one = row("barrier", {{"warps", 1}}, 15), four = row("barrier", {{"warps", 4}}, 21);
  one["other_processes"] = four["other_processes"] = 2;
  const std::vector<InputJson> alone{row("barrier", {{"warps", 1}}, 15),
                                     row("barrier", {{"warps", 4}}, 21)};
  const JudgedRounds out = judge_rounds({{one, four}, alone, alone}, kClock);
  EXPECT_EQ(out.rows.size(), 2u);
  EXPECT_THAT(out.rejected, ElementsAre("Round 1, barrier: other processes were on the GPU: 2."));
}

TEST(MicroRounds, WhatDependsOnTheHostMayDifferMore) {
  const auto launch = [](double ns) { return row("launch", {{"from", "stream"}}, ns); };
  EXPECT_EQ(judge_rounds({{launch(4466)}, {launch(3978)}, {launch(5415)}}, kClock).rows.size(), 1u);
}

TEST(MicroRounds, ARowWithoutAValueIsRefused) {
  InputJson broken = latency(32);
  broken.erase("value");
  EXPECT_THAT(test::input_error_of([&] { judge_rounds({{broken}}, kClock); }), HasSubstr("value"));
}

}  // namespace
}  // namespace pnsim::experiments
