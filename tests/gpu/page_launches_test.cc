// Tests which recorded launch each row of the profiler's page is, and what it represents.
#include "gpu/page_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/launch_choice.h"
#include "tests/base/error_of.h"
#include "tests/gpu/recorded.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PageLaunch row(const std::string& kernel, std::int64_t grid) {
  return {kernel, {grid, 1, 1}, {128, 1, 1}};
}

std::vector<std::optional<RecordedLaunch>> profiled(const LaunchChoice& choice) {
  return {choice.launches.begin(), choice.launches.end()};
}

// [row] "f 2": base name and invocation of the launch; "" for none.
std::vector<std::string> matches(const std::vector<PageLaunch>& page,
                                 const std::vector<RecordedLaunch>& launches) {
  std::vector<std::string> out;
  for (const auto& matched : match_page(page, launches, "raw.csv")) {
    out.push_back(matched ? kernel_base_name(matched->kernel) + " " +
                                std::to_string(matched->invocation)
                          : "");
  }
  return out;
}

// The first f is profiled because g and h need number 1, but it is no typical one.
TEST(ProfiledLaunches, StandForTheLaunchesOfTheirKind) {
  const auto launches =
      numbered({launch("f(int)", 1, 9), launch("f(int)", 1, 4), launch("f(int)", 1, 4),
                launch("g(int)", 1, 3), launch("h(int)", 1, 2), launch("h(int)", 2, 10)});
  const LaunchChoice choice = choose_launches(launches, 10);
  ASSERT_EQ(choice.numbers.size(), 2u);
  EXPECT_EQ(stood_for(profiled(choice)),
            (std::vector<StoodFor>{{1, 9}, {2, 8}, {1, 3}, {1, 2}, {1, 10}}));
}

TEST(ProfiledLaunches, ShareTheirKindWhereSeveralAreProfiled) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 8; ++i) launches.push_back(launch("f(int)", 1, 1 + i));
  launches = numbered(launches);
  for (RecordedLaunch& of_f : launches) {
    of_f.of_kind = 8;
    of_f.of_kind_us = 36;
  }
  EXPECT_EQ(stood_for({launches[0], launches[3], launches[4]}),
            (std::vector<StoodFor>{{1, 1}, {3.5, 17.5}, {3.5, 17.5}}));
  EXPECT_EQ(stood_for({launches[0]}), (std::vector<StoodFor>{{8, 36}})) << "there is no other";
  EXPECT_EQ(stood_for({std::nullopt, launches[3]}), (std::vector<StoodFor>{{0, 0}, {8, 36}}))
      << "the page has a launch that not every run made";
}

TEST(PageRows, FindTheirLaunchesInOrder) {
  const auto launches =
      numbered({launch("ns::f<int>(int)", 1), launch("ns::f<long>(long)", 1), launch("g(int)", 2)});
  const PageLaunch f = row("void ns::f<T1>(T1)", 1), g = row("g(int)", 2);
  EXPECT_THAT(matches({f, g}, launches), ElementsAre("f 1", "g 1"));
  EXPECT_THAT(matches({g, f}, launches), ElementsAre("g 1", "f 1")) << "another order";
}

TEST(PageRows, OneRowInAnotherPlaceTakesNoLaunchFromTheOthers) {
  const auto launches = numbered({launch("f(int)", 1), launch("g(int)", 1), launch("f(int)", 1),
                                  launch("h(int)", 1), launch("f(int)", 1)});
  const PageLaunch f = row("f(int)", 1), g = row("g(int)", 1), h = row("h(int)", 1);
  EXPECT_THAT(matches({f, g, f, h, f}, launches), ElementsAre("f 1", "g 1", "f 2", "h 1", "f 3"));
  EXPECT_THAT(matches({f, h, g, f, f}, launches), ElementsAre("f 1", "h 1", "g 1", "f 2", "f 3"));
  EXPECT_THAT(matches({h, f, g, f, f}, launches), ElementsAre("h 1", "f 1", "g 1", "f 2", "f 3"));
  EXPECT_THAT(matches({h, h, f, g, f, f}, launches),
              ElementsAre("h 1", "", "f 1", "g 1", "f 2", "f 3"))
      << "h is launched once";
  EXPECT_THAT(matches({row("x(int)", 1), g, f}, launches), ElementsAre("", "g 1", "f 2"));
}

// A program that launches something else in each run gives such a page.
TEST(PageRows, WithoutAnyLaunchOfTheTimedRunsAreRefused) {
  EXPECT_THAT(test::input_error_of([&] {
                match_page({row("h(int)", 1)}, numbered({launch("g(int)", 2)}), "raw.csv");
              }),
              HasSubstr("raw.csv: row 1: found h with grid (1, 1, 1)"));
}

// The profiler writes a row of zeros for a launch that fails under it.
TEST(PageRows, NameALaunchThatFailed) {
  const std::vector<PageLaunch> page = {{"g(int)", {0, 0, 0}, {0, 0, 0}}};
  EXPECT_THAT(
      test::input_error_of([&] { match_page(page, numbered({launch("g(int)", 2)}), "raw.csv"); }),
      HasSubstr("no counters of g: its launch failed"));
}

}  // namespace
}  // namespace pnsim::gpu
