// Tests nets that have too many pairs of transitions or places to examine all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/analysis/check/check_net.h"
#include "simulator/net/net_builder.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string numbered(const char* letter, int i) { return letter + std::to_string(i); }

// `takers` transitions that compete for the only token of p.
Net hub(int takers) {
  NetBuilder builder("hub");
  const PlaceId p = builder.add_place("p", 1);
  for (int i = 0; i < takers; ++i) builder.add_input(builder.add_transition(numbered("t", i)), p);
  return builder.build();
}

// One transition that consumes from `places` places.
Net wide(int places) {
  NetBuilder builder("wide");
  const TransitionId t = builder.add_transition("t");
  for (int i = 0; i < places; ++i) builder.add_input(t, builder.add_place(numbered("p", i), 1));
  return builder.build();
}

std::string finding(const CheckReport& report, const std::string& topic) {
  std::string text;
  for (const Finding& f : report.findings) text += f.topic == topic ? f.text + "\n" : "";
  return text;
}

TEST(CheckBounds, AHubWithinTheLimitsIsExamined) {
  const CheckReport report = check_net(hub(5), {.pairs = {.max_pairs = 10, .max_rows = 15}});
  ASSERT_EQ(report.shared_places.size(), 1u);
  EXPECT_TRUE(report.shared_places[0].examined);
  EXPECT_EQ(report.shared_places[0].competing.size(), 10u);
  EXPECT_THAT(finding(report, "conflicts"), Not(HasSubstr("too many")));
}

TEST(CheckBounds, AHubOverAnyLimitIsReportedAsNotExamined) {
  for (const PairLimits& limits :
       {PairLimits{.max_pairs = 9}, PairLimits{.max_work = 20}, PairLimits{.max_rows = 14}}) {
    const CheckReport report = check_net(hub(5), {.pairs = limits});
    EXPECT_FALSE(report.shared_places.at(0).examined);
    EXPECT_THAT(finding(report, "conflicts"), HasSubstr("too many pairs to examine at p\n"));
    EXPECT_THAT(finding(report, "conflicts"), HasSubstr("transitions can conflict only over p\n"));
    EXPECT_LE(report.shared_places[0].competing.size(), limits.max_rows);
  }
}

TEST(CheckBounds, ThreeThousandConsumersMakeAShortReport) {
  const CheckReport report = check_net(hub(3'000));
  EXPECT_THAT(finding(report, "conflicts"), HasSubstr("too many pairs to examine at p\n"));
  EXPECT_TRUE(report.shared_places.at(0).competing.empty());
  EXPECT_LT(text_of(report).size(), 5'000u);
  EXPECT_EQ(to_json(report)["shared_places"][0]["transitions"].size(), 3'000u);
}

TEST(CheckBounds, ManyInputsMakeAShortReport) {
  const CheckReport report = check_net(wide(30'000));
  EXPECT_TRUE(report.shape.free_choice);
  EXPECT_LT(text_of(report).size(), 5'000u);
  const Json json = to_json(report);
  EXPECT_EQ(json["bounds"][0]["places"].size(), 20'000u);
  EXPECT_EQ(json["shape"]["places"], 30'000);
}

TEST(CheckBounds, ATransitionThatNeedsTooMuchNamesAFewPlaces) {
  NetBuilder builder("greedy");
  const TransitionId split = builder.add_transition("split"), all = builder.add_transition("all");
  builder.add_input(split, builder.add_place("start", 1));
  for (int i = 0; i < 20; ++i) {
    const PlaceId p = builder.add_place(numbered("p", i));
    builder.add_input(all, p, 2);
    builder.add_output(split, p);
  }
  const std::string text = finding(check_net(builder.build()), "enabling");
  EXPECT_LT(text.size(), 400u) << text;
  EXPECT_THAT(text, HasSubstr("all is never enabled"));
}

}  // namespace
}  // namespace pnsim
