// Tests the sums over programs: of launches with known times, and of the user's points.
#include "experiments/validate/program_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/base/whole_file.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Four launches of one kind that took 2, 2, 3 and 3 us, one of another kind, and one that does not
// say what it represents.
TEST(ProgramSum, MultipliesEachLaunchByWhatItRepresents) {
  const ProgramSum sum =
      program_sum({{{4, 10, 2, {3, 2}}, {1, 6, 6, {5, 6}}, {0, 0, 100, {100, 100}}}});
  EXPECT_EQ(sum.points, 2u);
  EXPECT_EQ(sum.launches, 5);
  EXPECT_EQ(sum.us, 16);
  EXPECT_EQ(sum.from_measured_us, 14) << "the four launches are not alike";
  EXPECT_THAT(sum.predicted_us, ElementsAre(17, 14));
}

TEST(ProgramSum, IsEmptyForLaunchesThatSayNothing) {
  EXPECT_EQ(program_sum({{{0, 0, 2, {3}}}}).points, 0u);
  EXPECT_EQ(program_sum({}).points, 0u);
}

Validation validation_of(const OwnFolder& own) {
  Validation v;
  v.set = own_points(own.files, "");
  std::vector<double> us;
  for (const ValidationPoint& point : v.set.points) us.push_back(2 * point.measured_us());
  v.predicted.push_back({"sm", "", "", false, us});
  v.predicted.push_back({"sm without l1", "", "", true, us});
  return v;
}

// The five launches with 10, 1, 1, no, and 2 launches.
OwnFolder own_with_counts() {
  std::string times = replaced(kOwnTimes, "time_us\n", "time_us,stands_for,stands_for_us\n");
  times = replaced(times, ",1.2\n", ",1.2,10,15\n");
  times = replaced(times, ",1.5\n", ",1.5,1,1.5\n");
  times = replaced(times, ",1.1\n", ",1.1,1,1.1\n");
  times = replaced(times, ",1.6\n", ",1.6,,\n");
  return OwnFolder(replaced(times, ",1.4\n", ",1.4,2,2.4\n"));
}

TEST(ProgramSection, ComparesSumsWithTheTimeOfAllLaunches) {
  const OwnFolder own = own_with_counts();
  const Validation v = validation_of(own);
  const Section section = program_section(v);
  EXPECT_THAT(section.text,
              HasSubstr("  4 points represent 14 launches, which took 20.00 us together\n"
                        "  (1 of the points do not say what they"));
  EXPECT_THAT(section.text, HasSubstr("measured, of these points   17.40    -13.0\n"));
  EXPECT_THAT(section.text, HasSubstr("sm                          34.80    +74.0\n"));
  EXPECT_THAT(section.text, Not(HasSubstr("without"))) << "no ablations";
  EXPECT_THAT(section.text, Not(HasSubstr("expected"))) << "the launches are repeated";
  const Json json = program_json(v);
  EXPECT_EQ(json["points"], 4);
  EXPECT_EQ(json["launches"], 14);
  EXPECT_DOUBLE_EQ(json["measured_us"], 20);
  EXPECT_DOUBLE_EQ(json["from_measured_points_us"], 17.4);
  EXPECT_DOUBLE_EQ(json["predicted_us"]["sm"], 34.8);
  EXPECT_THAT(validation_text(v),
              HasSubstr("The program, by its profiled kinds of launches (times.csv, h200)"));
  const Json all = validation_json(v);
  EXPECT_EQ(all["program"], json);
  EXPECT_EQ(all["points"][0]["stands_for"], 10);
  EXPECT_EQ(all["points"][0]["stands_for_us"], 15);
  EXPECT_FALSE(all["points"][3].contains("stands_for"));
}

TEST(ProgramSection, SaysWhatIsInNoSum) {
  const OwnFolder counted = own_with_counts();
  const OwnFolder own(replaced(read_file(counted.files.times), ",1.4,2,", ",,2,"));
  const Section section = program_section(validation_of(own));
  EXPECT_THAT(section.text,
              HasSubstr("  3 points represent 12 launches, which took 17.60 us "
                        "together\n  (2 launches, which took 2.400 us, are in no sum"));
}

TEST(ProgramSection, TimesOfAnotherUnitAreRefused) {
  std::string times = replaced(kOwnTimes, "time_us\n", "time_us,stands_for,stands_for_us\n");
  for (const std::string us : {"1.2", "1.5", "1.1", "1.6", "1.4"})
    times = replaced(times, "," + us + "\n", "," + us + ",1,0.00" + us.substr(0, 1) + "\n");
  EXPECT_THAT(test::input_error_of([&] { own_points(OwnFolder(times).files, ""); }),
              HasSubstr("column stands_for_us: the median of stands_for_us / stands_for / time_us "
                        "is 0.00"));
}

TEST(ProgramSection, IsLeftOutWithoutCounts) {
  const OwnFolder own;
  const Validation v = validation_of(own);
  EXPECT_EQ(program_section(v).text, "");
  EXPECT_TRUE(program_json(v).is_null());
  EXPECT_FALSE(validation_json(v).contains("program"));
}

// A simulated launch that reached the most steps has no time.
TEST(UnfinishedPoints, AreLeftOutOfAllPredictorsAndNamed) {
  const OwnFolder own;
  Validation v = validation_of(own);
  v.predicted[0].us[1] = std::nan("");
  leave_out_unfinished(v.set, v.predicted);
  ASSERT_EQ(v.set.points.size(), 4u);
  EXPECT_EQ(v.set.points[1].measured_us(), 1.1);
  for (const Predicted& predicted : v.predicted)
    EXPECT_THAT(predicted.us, ElementsAre(2.4, 2.2, 3.2, 2.8));
  ASSERT_EQ(v.set.skipped.size(), 1u);
  EXPECT_EQ(v.set.skipped[0].program, "block_sum");
  EXPECT_THAT(validation_text(v), HasSubstr("skipped: 1 point of block_sum: sm: the simulated "
                                            "launch did not end within the most steps\n"));
  v.predicted[1].us.assign(4, std::nan(""));
  EXPECT_THAT(test::error_of(ExitCode::kLimit, [&] { leave_out_unfinished(v.set, v.predicted); }),
              HasSubstr("did not end"));
}

TEST(ProgramSumsTable, HasTheErrorsOfEachKind) {
  const auto program = [](const std::string& kind, double us, double measured, double first,
                          double now) {
    return RecordedProgram{kind, "of " + kind, {3, 30, us, measured, {first, now}}};
  };
  Json json = Json::array();
  const std::string text =
      program_sums_table({program("a", 100, 99, 80, 90), program("b", 10, 10, std::nan(""), 11),
                          program("a", 200, 206, 240, 200)},
                         json);
  EXPECT_THAT(text, HasSubstr("a     first             2        60    20.0"));
  EXPECT_THAT(text, HasSubstr("a     now               2        60     5.0"));
  EXPECT_THAT(text, HasSubstr("a     measured          2        60     2.0"));
  EXPECT_THAT(text, Not(HasSubstr("b     first"))) << "it has no first prediction";
  EXPECT_THAT(text, HasSubstr("b     now               1        30    10.0"));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_TRUE(json[1]["first_us"].is_null());
  EXPECT_EQ(json[2]["now_us"], 200);
  EXPECT_EQ(program_sums_table({}, json), "");
}

}  // namespace
}  // namespace pnsim::experiments
