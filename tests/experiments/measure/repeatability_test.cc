#include "experiments/measure/repeatability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "tests/base/error_of.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

InputJson time_of(const std::string& id, const std::string& program, double us, double half_us) {
  const Json row = {{"id", id},
                    {"kind", "time"},
                    {"program", program},
                    {"mode", "warm"},
                    {"median_us", us},
                    {"ci95_us", {us - half_us, us + half_us}},
                    {"device", {{"name", "Toy GPU"}, {"driver", "1"}}},
                    {"commit", "abc"},
                    {"date", "today"}};
  return InputJson(row);
}

TEST(Repeatability, ADifferenceIsHeldAgainstBothIntervals) {
  // Half widths of 3 and 4 allow a difference of 5.
  const auto times = repeated_times({time_of("a", "p", 100, 3), time_of("b", "p", 100, 3)},
                                    {time_of("a", "p", 105, 4), time_of("b", "p", 105.1, 4)});
  ASSERT_EQ(times.size(), 2u);
  EXPECT_TRUE(times[0].is_within);
  EXPECT_FALSE(times[1].is_within);
  EXPECT_NEAR(times[0].difference, 0.05, 1e-12);
}

TEST(Repeatability, ARowThatLacksSomethingIsNamed) {
  for (const char* key : {"program", "mode", "device", "median_us", "commit"}) {
    InputJson row = time_of("a", "p", 100, 3);
    row.erase(key);
    EXPECT_THAT(test::error_of(ExitCode::kBadInput,
                               [&] { repeated_times({time_of("a", "p", 100, 3)}, {row}); }),
                HasSubstr(key));
  }
  EXPECT_THROW(repeated_times({time_of("a", "p", 100, 3)}, {time_of("a", "p", 0, 3)}), Error);
}

TEST(Repeatability, TheLastOfRowsWithOneIdCountsAndOthersMustBeInBoth) {
  const auto times = repeated_times(
      {time_of("a", "p", 50, 1), time_of("a", "p", 100, 1), time_of("only first", "p", 1, 1)},
      {time_of("a", "p", 100, 1), time_of("only second", "p", 1, 1)});
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].difference, 0.0);
}

TEST(Repeatability, ProgramsThenAll) {
  const auto summary = summarize_repeats({{"q", 0.02, true, 0.1},
                                          {"p", -0.01, true, 0.2},
                                          {"p", 0.03, false, 0.4},
                                          {"p", 0.0, true, 0.3}});
  ASSERT_EQ(summary.size(), 3u);
  EXPECT_EQ(summary[0].program, "p");
  EXPECT_EQ(summary[0].points, 3u);
  EXPECT_NEAR(summary[0].within_share, 2.0 / 3, 1e-12);
  EXPECT_NEAR(summary[0].median_difference, 0.0, 1e-12);
  EXPECT_NEAR(summary[0].median_size, 0.01, 1e-12);
  EXPECT_NEAR(summary[0].worst_size, 0.03, 1e-12);
  EXPECT_NEAR(summary[0].median_half_width, 0.3, 1e-12);
  EXPECT_NEAR(summary[0].p95_half_width, 0.39, 1e-12);
  EXPECT_EQ(summary[2].program, "all");
  EXPECT_EQ(summary[2].points, 4u);
}

TEST(Repeatability, TheRowReadsBackAsText) {
  const std::vector<InputJson> first{time_of("a", "p", 100, 3)}, second{time_of("a", "p", 101, 3)};
  const Json row =
      repeat_row(first, second, summarize_repeats(repeated_times(first, second)), "cmd");
  EXPECT_EQ(row["kind"], "repeat");
  const std::string text = repeat_text(InputJson(row));
  EXPECT_THAT(text, HasSubstr("Toy GPU, warm times"));
  EXPECT_THAT(text, HasSubstr("100.0"));
  EXPECT_THAT(text, HasSubstr("1.00"));
}

TEST(Repeatability, RowsWithoutAnIntervalAreRefusedOneByOne) {
  for (const Json& bad : {Json(nullptr), Json(5), Json::array({1.0})}) {
    InputJson row = time_of("a", "p", 100, 3);
    row["ci95_us"] = InputJson(bad);
    EXPECT_THAT(test::input_error_of([&] { repeated_times({row}, {row}); }), HasSubstr("ci95_us"));
  }
  InputJson row = time_of("a", "p", 100, 3);
  row.erase("ci95_us");
  EXPECT_THAT(test::input_error_of([&] { repeated_times({row}, {row}); }), HasSubstr("ci95_us"));
}

TEST(Repeatability, NoCommonPointIsError4) {
  test::error_of(ExitCode::kUnavailable,
                 [] { repeated_times({time_of("a", "p", 1, 1)}, {time_of("b", "p", 1, 1)}); });
}

}  // namespace
}  // namespace pnsim::experiments
