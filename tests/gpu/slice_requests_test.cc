// Requests to the slices of L2, on pages of the profiler.
#include "gpu/slice_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

constexpr const char* kHead =
    "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"lts__t_requests.max\"\n"
    "\"\",\"\",\"ns\",\"request\"\n";

std::string error_of_page(const std::string& page) {
  return test::input_error_of([&] { requests_on_page(page, "p.csv"); });
}

TEST(SliceRequests, AreReadWithTheTimeOfEachLaunch) {
  const auto launches = requests_on_page(std::string(kHead) +
                                             "\"0\",\"hot_words(int)\",\"1,000\",\"500\"\n"
                                             "\"1\",\"hot_lines(int)\",\"900\",\"300\"\n",
                                         "p.csv");
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "hot_words(int)");
  EXPECT_EQ(launches[0].ns / launches[0].of_busiest, 2);
  EXPECT_EQ(launches[1].ns / launches[1].of_busiest, 3);
}

TEST(SliceRequests, OtherPagesAreRefused) {
  EXPECT_THAT(error_of_page(""), testing::HasSubstr("expected a profiled launch, found none"));
  EXPECT_THAT(error_of_page("a,b\n,\n1,2\n"), testing::HasSubstr("\"Kernel Name\" is missing"));
  EXPECT_THAT(error_of_page(std::string(kHead) + "\"0\",\"k\",\"1\"\n"),
              testing::HasSubstr("row 3: the row ends before the column lts__t_requests.max"));
  EXPECT_THAT(
      error_of_page(std::string(kHead) + "\"0\",\"k\",\"1\",\"n/a\"\n"),
      testing::HasSubstr("lts__t_requests.max: found \"n/a\", expected a number of at least 0"));
  for (const char* cell : {"-1", "12 ns", "nan"}) {
    EXPECT_THAT(error_of_page(std::string(kHead) + "\"0\",\"k\",\"" + cell + "\",\"1\"\n"),
                testing::HasSubstr("gpu__time_duration.sum: found"))
        << cell;
  }
}

}  // namespace
}  // namespace pnsim::gpu
