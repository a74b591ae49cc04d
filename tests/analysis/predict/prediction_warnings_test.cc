#include "simulator/analysis/predict/prediction_warnings.h"

#include <gmock/gmock.h>

#include "simulator/model/launch/counters.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// One launch of one warp whose only segment has these instructions.
RecordedPoint point_with(const std::map<std::string, std::int64_t>& classes) {
  Segment segment;
  for (const auto& [name, count] : classes) segment.classes[name] = count;
  Launch launch;
  launch.segments = {segment};
  launch.warp_kinds = {{1, {{1, segment.counts(), {}, 0}}}};
  return {{}, {launch}};
}

std::string kinds_of(const RecordedPoint& point, bool walks = true) {
  return kinds_text(warnings_of_point({}, point, walks, h200()));
}

TEST(PredictionWarnings, InstructionsThatTheNetDoesNotModelAreNamed) {
  EXPECT_EQ(kinds_of(point_with({{"int", 10}, {"global_load", 3}})), "");
  EXPECT_EQ(kinds_of(point_with({{"int", 10}, {"tensor", 3}, {"bulk_copy", 1}})),
            "tensor, bulk-copy");
  RecordedPoint unknown = point_with({{"int", 90}, {"other", 10}});
  unknown.launches[0].unknown_opcodes["QADD"] = 10;
  const PredictionWarnings warnings = warnings_of_point({}, unknown, true, h200());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].text, HasSubstr("10 of 100 warp instructions (10 %) are instructions "
                                          "with unknown opcodes (QADD)"));
}

TEST(PredictionWarnings, OneInAThousandIsNotWorthAWord) {
  EXPECT_EQ(kinds_of(point_with({{"int", 999}, {"tensor", 1}})), "");
  EXPECT_EQ(kinds_of(point_with({{"int", 998}, {"tensor", 2}})), "tensor");
}

TEST(PredictionWarnings, SpinningWarpsAreNamed) {
  RecordedPoint point = point_with({{"int", 100}});
  point.launches[0].counters["spinning_instructions"] = 30;
  const PredictionWarnings warnings = warnings_of_point({}, point, true, h200());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, "spinning");
  EXPECT_THAT(warnings[0].text, HasSubstr("30 of 100 warp instructions (30 %)"));
}

// One scheduler executed half of the instructions of 528, and the warp's program has no loop.
TEST(PredictionWarnings, FewWarpsWithMostOfTheWorkAreNamed) {
  RecordedPoint point = point_with({{"int", 100}});
  point.launches[0].counters["profiled_sms"] = 132;
  point.launches[0].counters["executed_instructions"] = 100000;
  point.launches[0].counters["busiest_scheduler_instructions"] = 50000;
  EXPECT_EQ(kinds_of(point), "");
  Launch& launch = point.launches[0];
  launch.grid = 528;
  launch.warp_kinds[0].warps = 528;
  const PredictionWarnings warnings = warnings_of_point({}, point, true, h200());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, "uneven");
  EXPECT_THAT(warnings[0].text, HasSubstr("One scheduler executed 264 times"));
  launch.counters["busiest_scheduler_instructions"] = 700;
  EXPECT_EQ(kinds_of(point), "") << "3.7 times";
  launch.counters["busiest_scheduler_instructions"] = 50000;
  launch.resident_blocks = 4;
  ProgramItem twice = launch.warp_kinds[0].program[0];
  twice.repeat = 2;
  launch.warp_kinds[0].program = {twice};
  EXPECT_EQ(kinds_of(point), "") << "the loop is longer on that scheduler";
}

TEST(PredictionWarnings, ConstantsAtComputedAddressesAreNamed) {
  RecordedPoint point = point_with({{"int", 100}});
  point.launches[0].counters["indexed_constant_loads"] = 8;
  const PredictionWarnings warnings = warnings_of_point({}, point, true, h200());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, "constants");
  EXPECT_THAT(warnings[0].text, HasSubstr("8 of 100 warp instructions (8.0 %)"));
  EXPECT_THAT(warnings[0].text, HasSubstr("--metrics idc__requests.sum,idc__requests_lookup"));
  point.launches[0].counters["constant_requests"] = 100;
  const PredictionWarnings of_misses = warnings_of_point({}, point, true, h200());
  ASSERT_EQ(of_misses.size(), 1u);
  EXPECT_THAT(of_misses[0].text, HasSubstr("which of them miss the constant cache"));
  point.launches[0].counters["constant_misses"] = 10;
  EXPECT_THAT(warnings_of_point({}, point, true, h200()), IsEmpty());
}

TEST(PredictionWarnings, MissingColumnsOfTheProfileAreRepeated) {
  KernelModel model;
  model.provenance = {{"missing", {"dram__bytes_read.sum", "dram__bytes_write.sum"}}};
  const PredictionWarnings warnings =
      warnings_of_point(model, point_with({{"int", 1}}), true, h200());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, "missing");
  EXPECT_THAT(warnings[0].text, HasSubstr("no dram__bytes_read.sum, dram__bytes_write.sum. "));
  EXPECT_THAT(warnings_of_point(model, point_with({{"int", 1}}), false, h200()), IsEmpty())
      << "the paper's net uses no counters";
}

TEST(PredictionWarnings, APointWithCountsAloneIsNamedOnTheNetsThatRunIt) {
  RecordedPoint point = point_with({{"int", 1}});
  EXPECT_EQ(kinds_of(point, false), "");
  point.launches[0].segments.clear();
  EXPECT_EQ(kinds_of(point, false), "counts");
}

TEST(PredictionWarnings, APredictionFarFromTheProfiledTimeIsNamed) {
  EXPECT_FALSE(warning_of_distance(5, 10));
  EXPECT_FALSE(warning_of_distance(15, 10));
  EXPECT_FALSE(warning_of_distance(15, 0)) << "nothing was profiled";
  const auto slow = warning_of_distance(16, 10), fast = warning_of_distance(3.9, 10);
  ASSERT_TRUE(slow && fast);
  EXPECT_EQ(slow->kind, "far");
  EXPECT_THAT(fast->text, HasSubstr("0.390 times the 10.00 us under the profiler"));
  EXPECT_THAT(fast->text,
              HasSubstr("launches of less than 20 us take 0.47 to 1.03 times that. In programs, 97 "
                        "launches of PyTorch took 0.44 to 1.66 times that"));
}

TEST(PredictionWarnings, WhatIsUsualDependsOnTheLengthOfTheLaunch) {
  EXPECT_THAT(profiled_share_text(0), HasSubstr("less than 20 us"));
  EXPECT_THAT(profiled_share_text(20), HasSubstr("20 to 100 us"));
  EXPECT_THAT(profiled_share_text(100), HasSubstr("100 us and more"));
}

TEST(PredictionWarnings, TheBoundsOfFarNarrowWithTheLengthOfTheLaunch) {
  for (const auto& [profiled, share] : {std::pair{19.9, 0.41}, {20.0, 0.61}, {100.0, 0.81}}) {
    EXPECT_FALSE(warning_of_distance(profiled * share, profiled)) << profiled;
    EXPECT_TRUE(warning_of_distance(profiled * (share - 0.02), profiled)) << profiled;
  }
  for (const auto& [profiled, share] : {std::pair{19.9, 1.49}, {20.0, 1.29}, {100.0, 1.19}}) {
    EXPECT_FALSE(warning_of_distance(profiled * share, profiled)) << profiled;
    EXPECT_TRUE(warning_of_distance(profiled * (share + 0.02), profiled)) << profiled;
  }
}

TEST(PredictionWarnings, ADeviceWithoutRatesOfTensorCoresIsNamed) {
  const RecordedPoint point = point_with({{"tensor", 1}});
  EXPECT_THAT(warnings_of_point({}, point, true, h200())[0].text,
              HasSubstr("the net knows how long they take the tensor cores"));
  EXPECT_THAT(warnings_of_point({}, point, true, load_device_profile("l40s"))[0].text,
              HasSubstr("the profile of this device has no rates of its tensor cores"));
  const auto says_clock = [&](const DeviceProfile& device) {
    const std::string text = warnings_of_point({}, point, true, device)[0].text;
    return text.find("does not say by how much") != std::string::npos;
  };
  EXPECT_FALSE(says_clock(h200()));
  DeviceProfile without = h200();
  without.facts.erase("tensor_clock_wgmma_10_mhz");
  EXPECT_TRUE(says_clock(without)) << "not measured there";
}

TEST(PredictionWarnings, ADeviceThatDoesNotSayWhatFetchingCodeCostsIsNamed) {
  RecordedPoint point = point_with({{"int", 1000}});
  const auto kinds = [&](const char* device) {
    std::vector<std::string> found;
    for (const PredictionWarning& warning :
         warnings_of_point({}, point, true, load_device_profile(device)))
      found.push_back(warning.kind);
    return found;
  };
  point.launches[0].counters[kCodeJumps] = 3;
  EXPECT_THAT(kinds("a100"), testing::IsEmpty()) << "not in place";
  point.launches[0].start = CacheStart::kInPlace;
  EXPECT_THAT(kinds("a100"), testing::ElementsAre("code"));
  EXPECT_THAT(kinds("h100"), testing::IsEmpty());
  point.launches[0].counters[kCodeFromDram] = 1;
  EXPECT_THAT(kinds("h100"), testing::ElementsAre("code")) << "what DRAM adds is not known there";
  EXPECT_THAT(kinds("h200"), testing::IsEmpty());
  EXPECT_THAT(kinds("a100"), testing::ElementsAre("code")) << "once";
}

std::vector<std::string> kinds_of(const KernelModel& model, const RecordedPoint& point,
                                  const DeviceProfile& device) {
  std::vector<std::string> out;
  for (const PredictionWarning& warning : warnings_of_point(model, point, true, device))
    out.push_back(warning.kind);
  return out;
}

// A launch that has 48 ns to wait for its code on an H200, and 173 for each of 11 far jumps.
TEST(PredictionWarnings, CodeFromDramIsToldWhereItCanMatter) {
  KernelModel model;
  RecordedPoint point = point_with({{"int", 1000}});
  Launch& launch = point.launches.front();
  launch.start = CacheStart::kInPlace;
  launch.counters[kCodeFromDram] = 1;
  launch.counters[kFarCodeJumps] = 11;
  const DeviceProfile h100 = load_device_profile("h100");
  model.provenance = Json{{"profiled_us", 39.0}};
  EXPECT_THAT(kinds_of(model, point, h100), testing::ElementsAre("code"));
  model.provenance = Json{{"profiled_us", 39.1}};
  EXPECT_THAT(kinds_of(model, point, h100), testing::IsEmpty());
  launch.counters[kFarCodeJumps] = 0;
  launch.counters[kCodeFromDram] = 0;
  model.provenance = Json{{"profiled_us", 0.1}};
  EXPECT_THAT(kinds_of(model, point, h100), testing::IsEmpty()) << "not from DRAM";
}

TEST(PredictionWarnings, ADeviceMayNotSayHowMuchCodeItsSmsKeep) {
  const KernelModel model;
  RecordedPoint point = point_with({{"int", 1000}});
  Launch& launch = point.launches.front();
  launch.start = CacheStart::kInPlace;
  launch.counters[kCodeLines] = 5;
  launch.counters[kCodeSinceBytes] = 20'000;
  DeviceProfile device = load_device_profile("h200");
  EXPECT_THAT(kinds_of(model, point, device), testing::IsEmpty());
  device.facts.erase("code_kept_bytes");
  EXPECT_THAT(kinds_of(model, point, device), testing::ElementsAre("code"));
  launch.counters[kCodeSinceBytes] = 200'000;
  EXPECT_THAT(kinds_of(model, point, device), testing::IsEmpty()) << "more than any SM keeps";
}

TEST(PredictionWarnings, StoresToOneSliceOfL2CostWhatTheDeviceMayNotSay) {
  const KernelModel model;
  RecordedPoint point = point_with({{"int", 1000}});
  Launch& launch = point.launches.front();
  launch.counters["l2_write_sectors"] = 100'000;
  launch.counters[kSliceRequests] = 100'000;
  launch.counters[kBusiestSliceRequests] = 50'000;
  EXPECT_THAT(kinds_of(model, point, load_device_profile("h200")), testing::IsEmpty());
  EXPECT_THAT(kinds_of(model, point, load_device_profile("h100")), testing::ElementsAre("slices"));
  launch.counters[kBusiestSliceRequests] = 2'000;
  EXPECT_THAT(kinds_of(model, point, load_device_profile("h100")), testing::IsEmpty());
}

TEST(PredictionWarnings, EveryKindHasAMeaning) {
  for (const char* kind : {"missing", "tensor", "bulk-copy", "opcode", "spinning", "code", "slices",
                           "constants", "counts", "far"}) {
    EXPECT_NE(meaning_of_warning(kind), "") << kind;
  }
}

TEST(PredictionWarnings, TextIsWrappedUnderItsKind) {
  const std::string text = text_of(PredictionWarnings{{"far", std::string(71, 'x') + " end"}});
  EXPECT_EQ(text, "warning: far            " + std::string(71, 'x') + "\n" + std::string(24, ' ') +
                      "end\n");
  EXPECT_EQ(text_of(PredictionWarnings{}), "");
}

TEST(PredictionWarnings, AWordThatIsLongerThanALineHasOneOfItsOwn) {
  const std::string word(100, 'x'), start = "warning: opcode         ", indent(24, ' ');
  EXPECT_EQ(text_of(PredictionWarnings{{"opcode", "a " + word + " end"}}),
            start + "a\n" + indent + word + "\n" + indent + "end\n");
  EXPECT_EQ(text_of(PredictionWarnings{{"opcode", word}}), start + word + "\n");
}

}  // namespace
}  // namespace pnsim
