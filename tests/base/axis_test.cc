#include "simulator/base/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Returns the message of the usage error (2) with which parse_axis must refuse `text`.
std::string refusal(const std::string& text) {
  try {
    parse_axis(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage) << text;
    return error.what();
  }
  return "no error";
}

TEST(Axis, ARangeIncludesItsEndWhenItIsHit) {
  EXPECT_THAT(parse_axis("l1=[10:40:10]").values, ElementsAre("10", "20", "30", "40"));
  EXPECT_THAT(parse_axis("l1=[10:39:10]").values, ElementsAre("10", "20", "30"));
  EXPECT_THAT(parse_axis("l1=[5:5]").values, ElementsAre("5"));
}

TEST(Axis, ARangeWithoutAStepGoesByOne) {
  EXPECT_THAT(parse_axis("n=[2:4]").values, ElementsAre("2", "3", "4"));
}

TEST(Axis, AListKeepsItsOrder) {
  const Axis axis = parse_axis("l2=[4,1,2]");
  EXPECT_EQ(axis.name, "l2");
  EXPECT_THAT(axis.integers(), ElementsAre(4, 1, 2));
}

TEST(Axis, ASingleValueNeedsNoBrackets) {
  EXPECT_THAT(parse_axis("block=256").values, ElementsAre("256"));
  EXPECT_THAT(parse_axis("net=wpnm_literal").values, ElementsAre("wpnm_literal"));
}

TEST(Axis, PowersOfTwoAreGivenByTheirExponents) {
  EXPECT_THAT(parse_axis("n[pow2]=[12:14]").integers(), ElementsAre(4096, 8192, 16384));
  EXPECT_THAT(parse_axis("n[pow2]=[0,62]").integers(), ElementsAre(1, std::int64_t{1} << 62));
}

TEST(Axis, NumbersMayBePowers) {
  EXPECT_THAT(parse_axis("n=[2^20,2^21]").values, ElementsAre("1048576", "2097152"));
  EXPECT_THAT(parse_axis("n=[2^2:2^3:2^1]").values, ElementsAre("4", "6", "8"));
  EXPECT_THAT(refusal("n=[4,2^2]"), HasSubstr("the value 4 appears twice"));
}

TEST(Axis, ARangeWithDotsIsAnsweredWithTheOneToWrite) {
  for (const char* text : {"block=[64..1024]", "block=64..1024"}) {
    EXPECT_THAT(refusal(text), HasSubstr("a range is written block=[64:1024]"));
  }
}

TEST(Axis, WordsAndBlanksAreTaken) {
  EXPECT_THAT(parse_axis(" program = [ a , b ] ").values, ElementsAre("a", "b"));
  EXPECT_EQ(parse_axis(" program = [ a ] ").name, "program");
}

TEST(Axis, NegativeRangesAreRanges) {
  EXPECT_THAT(parse_axis("x=[-2:2:2]").integers(), ElementsAre(-2, 0, 2));
}

TEST(Axis, TheWidestRangeDoesNotOverflow) {
  const Axis axis = parse_axis("x=[-9223372036854775808:9223372036854775807:9223372036854775807]");
  EXPECT_THAT(axis.values, ElementsAre("-9223372036854775808", "-1", "9223372036854775806"));
}

TEST(Axis, RefusesBadSyntaxNamingWhatIsWrong) {
  EXPECT_THAT(refusal("l1"), HasSubstr("expected NAME=VALUES"));
  EXPECT_THAT(refusal("=[1]"), HasSubstr("plain name"));
  EXPECT_THAT(refusal("l 1=[1]"), HasSubstr("plain name"));
  EXPECT_THAT(refusal("n[pow3]=[1]"), HasSubstr("pow2"));
  EXPECT_THAT(refusal("l1=[1,2"), HasSubstr("bracket is missing"));
  EXPECT_THAT(refusal("l1=1,2]"), HasSubstr("bracket is missing"));
  EXPECT_THAT(refusal("l1=1,2"), HasSubstr("lists and ranges need brackets [ ]"));
  EXPECT_THAT(refusal("l1=[1,,2]"), HasSubstr("a value is empty"));
  EXPECT_THAT(refusal("l1=[1:2:3:4]"), HasSubstr("FIRST:LAST"));
  EXPECT_THAT(refusal("l1=[a:b]"), HasSubstr("found \"a\""));
  EXPECT_THAT(refusal("n[pow2]=[x]"), HasSubstr("expected an exponent"));
}

TEST(Axis, RefusesEmptyAxes) {
  EXPECT_THAT(refusal("l1="), HasSubstr("the axis is empty"));
  EXPECT_THAT(refusal("l1=[]"), HasSubstr("the axis is empty"));
  EXPECT_THAT(refusal("l1=[4:2]"), HasSubstr("the range is empty"));
}

TEST(Axis, RefusesStepsBelowOneAndValuesTwice) {
  EXPECT_THAT(refusal("l1=[1:5:0]"), HasSubstr("at least 1"));
  EXPECT_THAT(refusal("l1=[5:1:-1]"), HasSubstr("at least 1"));
  EXPECT_THAT(refusal("l1=[1,2,1]"), HasSubstr("1 appears twice"));
  EXPECT_THAT(refusal("n[pow2]=[63]"), HasSubstr("expected 0 to 62"));
  EXPECT_THAT(refusal("n[pow2]=[-1:2]"), HasSubstr("exponent -1"));
}

TEST(Axis, RefusesTooManyValuesBeforeMakingThem) {
  EXPECT_THAT(refusal("l1=[1:1000000000000]"), HasSubstr("over 1,000,000 values"));
  EXPECT_EQ(parse_axis("l1=[1:1000000]").values.size(), 1'000'000u);
}

TEST(Axis, ValuesThatAreNoNumbersAreNamed) {
  try {
    parse_axis("l1=[1,two]").integers();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("found \"two\""));
  }
}

TEST(Points, TheLastAxisRunsFastest) {
  const std::vector<Axis> axes{parse_axis("a=[1,2]"), parse_axis("b=[x,y,z]")};
  ASSERT_EQ(point_count(axes), 6u);
  EXPECT_THAT(point_at(axes, 0), ElementsAre(0, 0));
  EXPECT_THAT(point_at(axes, 2), ElementsAre(0, 2));
  EXPECT_THAT(point_at(axes, 3), ElementsAre(1, 0));
  EXPECT_THAT(point_at(axes, 5), ElementsAre(1, 2));
}

TEST(Points, NoAxisIsOnePoint) { EXPECT_EQ(point_count(std::vector<Axis>{}), 1u); }

TEST(Points, ATrillionPointsAreRefused) {
  const std::vector<std::string> million(1'000'000, "1");
  const std::vector<Axis> axes{{"a", million}, {"b", million}};
  try {
    point_count(axes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("1000000 * 1000000 = 1,000,000,000,000 points"));
  }
}

TEST(Overrides, TakeThePlaceOfAnAxis) {
  const auto axes = with_overrides({parse_axis("n=[1,2]"), parse_axis("block=[64]")},
                                   {parse_axis("block=[128,256]")});
  EXPECT_EQ(axes[0], parse_axis("n=[1,2]"));
  EXPECT_EQ(axes[1], parse_axis("block=[128,256]"));
}

TEST(Overrides, AnUnknownNameIsToldWithTheNearest) {
  try {
    with_overrides({parse_axis("n=[1]"), parse_axis("block=[64]")}, {parse_axis("blok=[128]")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"block\"?"));
  }
}

TEST(Overrides, OneAxisGivenTwiceIsRefused) {
  EXPECT_THROW(with_overrides({parse_axis("n=[1]")}, {parse_axis("n=[2]"), parse_axis("n=[3]")}),
               Error);
}

}  // namespace
}  // namespace pnsim
