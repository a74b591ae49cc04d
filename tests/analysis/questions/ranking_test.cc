// Tests what is kept of the best speed, and comparisons made by hand.
#include "simulator/analysis/questions/ranking.h"

#include <gtest/gtest.h>

#include "simulator/analysis/questions/comparison.h"

namespace pnsim {
namespace {

TEST(Ranking, TheFirstKKeepTheBestOfThem) {
  const double measured[] = {4, 5, 2, 3};
  EXPECT_EQ(kept_of_best(measured), (std::vector<double>{0.5, 0.5, 1, 1}));
  EXPECT_TRUE(kept_of_best(std::vector<double>{}).empty());
}

TEST(Ranking, OneMeasuredTimeJudgesNothing) {
  Ranking ranking{
      "x", "sm", "warm", {{"a", 2, 7.0, "recorded"}, {"b", 1, std::nullopt, "what-if"}}};
  sort_rows(ranking);
  EXPECT_EQ(ranking.rows[0].configuration, "b");
  EXPECT_TRUE(kept_of_best(ranking).empty());
  EXPECT_NE(text_of(ranking).find("experiment table rank"), std::string::npos);
}

TEST(Ranking, SaysWhenTheFirstOfItsOrderWasNotMeasured) {
  Ranking ranking{
      "x",
      "sm",
      "warm",
      {{"a", 2, 7.0, "recorded"}, {"b", 1, std::nullopt, "what-if"}, {"c", 3, 8.0, "recorded"}}};
  sort_rows(ranking);
  EXPECT_NE(text_of(ranking).find("the first measured one keeps 100.0 %"), std::string::npos);
  ranking.rows.erase(ranking.rows.begin());
  EXPECT_NE(text_of(ranking).find("By recorded times, the first keeps 100.0 %"), std::string::npos);
}

ComparedSide side(const std::string& name, double us, double waiting) {
  ComparedSide out;
  out.name = name;
  out.steps = 1000 * us;
  out.us = us;
  out.reasons.rows = {{"issued", 1 - waiting, 0}, {"L2 latency", waiting, 0}, {"barrier", 0, 0}};
  out.reasons.units = {{"issue slots", 0.25, ""}};
  return out;
}

// 10 us of which 5 wait, against 8 us of which 2 wait: issuing 5 and 6 us.
TEST(Comparison, TheDifferenceIsDividedByReason) {
  const Comparison c = compare("sm", "warm", side("one", 10, 0.5), side("two", 8, 0.25));
  ASSERT_EQ(c.reasons.size(), 2u) << "a reason that takes no time is left out";
  EXPECT_EQ(c.reasons[0].name, "L2 latency");
  EXPECT_DOUBLE_EQ(c.reasons[0].us[1] - c.reasons[0].us[0], -3);
  EXPECT_DOUBLE_EQ(c.reasons[1].us[1] - c.reasons[1].us[0], 1);
  EXPECT_DOUBLE_EQ(c.units[0].cycles[0], 2500);
  EXPECT_EQ(faster_side(c), std::size_t{1});
  const std::string why = why_text(c);
  EXPECT_NE(why.find("b takes 20.0 % less time"), std::string::npos) << why;
  EXPECT_NE(
      why.find("Against b, a spends more on L2 latency (3.00 us), and less on issued (1.00 us)"),
      std::string::npos)
      << why;
}

TEST(Comparison, MeasuredTimesMayHaveTheOtherOrder) {
  Comparison c = compare("sm", "warm", side("one", 10, 0.5), side("two", 8, 0.25));
  c.sides[0].measured_us = 5;
  c.sides[1].measured_us = 6;
  EXPECT_NE(why_text(c).find("the other order"), std::string::npos);
}

}  // namespace
}  // namespace pnsim
