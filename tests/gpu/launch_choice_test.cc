// Tests which launches of a program are profiled.
#include "gpu/launch_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/page_launches.h"
#include "tests/gpu/recorded.h"

namespace pnsim::gpu {
namespace {

using testing::ElementsAre;

// "f 2" for launch 2 of f's kind, with the grid where the kernel has several.
std::vector<std::string> chosen(const LaunchChoice& choice) {
  std::vector<std::string> out;
  for (const RecordedLaunch& launch : choice.launches) {
    out.push_back(launch.kernel + std::to_string(launch.grid[0]) + " " +
                  std::to_string(launch.number));
  }
  return out;
}

TEST(ChosenLaunches, AvoidTheFirstOfAKindWhereThereIsAnother) {
  const auto launches = numbered({launch("f", 1), launch("f", 1), launch("f", 1), launch("g", 1),
                                  launch("g", 1), launch("g", 1, 1.01)});
  const LaunchChoice choice = choose_launches(launches, 10);
  EXPECT_THAT(chosen(choice), ElementsAre("f1 2", "g1 2"));
  EXPECT_EQ(choice.kinds, 2u);
  EXPECT_EQ(choice.kinds_taken, 2u);
  EXPECT_DOUBLE_EQ(choice.share_of_time, 1);
  EXPECT_EQ(choice.launches[0].of_kind, 3);
  EXPECT_DOUBLE_EQ(choice.launches[1].of_kind_us, 3.01);
}

TEST(ChosenLaunches, TakeTheFirstAsWellForKindsThatHaveNoOther) {
  const auto launches =
      numbered({launch("f", 1), launch("f", 1), launch("f", 1), launch("g", 2, 5)});
  EXPECT_THAT(chosen(choose_launches(launches, 10)), ElementsAre("f1 1", "f1 2", "g2 1"));
}

// The first launch, with cold caches, takes ten times as long.
TEST(ChosenLaunches, TakeTheFirstAsWellWhereItDiffersMuch) {
  const auto launches = numbered({launch("f", 1, 10), launch("f", 1), launch("f", 1)});
  EXPECT_THAT(chosen(choose_launches(launches, 10)), ElementsAre("f1 1", "f1 2"));
  EXPECT_EQ(choose_launches(launches, 1).launches.size(), 1u);
}

// Forward and backward passes have one kind.
TEST(ChosenLaunches, TakeMoreNumbersOfAKindWhoseLaunchesDiffer) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 40; ++i) launches.push_back(launch("f", 1, i % 2 == 0 ? 2.6 : 195));
  const LaunchChoice choice = choose_launches(numbered(launches), 100);
  const auto stands_for = stood_for({choice.launches.begin(), choice.launches.end()});
  double sum_us = 0;
  for (std::size_t i = 0; i < stands_for.size(); ++i)
    sum_us += stands_for[i].launches * choice.launches[i].time_us;
  EXPECT_NEAR(sum_us, 20 * (2.6 + 195), 0.03 * sum_us);
  EXPECT_LE(choice.launches.size(), 3u);
}

// Launches that not every run made are missing from the numbers.
TEST(ChosenLaunches, MayHaveGapsInTheirNumbers) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 60; ++i) launches.push_back(launch("k" + std::to_string(i % 3), 1 + i % 5));
  launches = numbered(launches);
  std::vector<RecordedLaunch> agreed;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (i % 4 != 1 && i > 14) agreed.push_back(launches[i]);  // no first launch, and gaps
  }
  for (std::size_t most = 1; most <= 30; ++most) {
    const LaunchChoice choice = choose_launches(agreed, most);
    EXPECT_LE(choice.launches.size(), most);
    EXPECT_EQ(choice.launches.empty(), most < choice.least) << most;
  }
  EXPECT_EQ(choose_launches(agreed, 30).kinds_taken, 15u);
}

// A rare kind with a single launch does not make the others less typical.
TEST(ChosenLaunches, AreTypicalOfALongKindBesideAShortOne) {
  std::vector<RecordedLaunch> launches{launch("init", 1, 0.5)};
  for (int i = 0; i < 100; ++i)
    launches.push_back(launch("f", 1, std::vector<double>{90, 10, 40, 20, 40}[i % 5U]));
  const LaunchChoice choice = choose_launches(numbered(launches), 100);
  EXPECT_EQ(choice.numbers_are, ChosenNumbers::kOfKinds);
  EXPECT_THAT(chosen(choice), ElementsAre("f1 3"));
}

// The third launch of each kind takes as long as the mean launch.
TEST(ChosenLaunches, HaveTheNumberThatComesNearestToTheTimeOfAll) {
  std::vector<RecordedLaunch> launches;
  for (const double us : {90, 10, 40, 20, 40}) {
    launches.push_back(launch("f", 1, us));
    launches.push_back(launch("g", 1, us / 2));
  }
  EXPECT_THAT(chosen(choose_launches(numbered(launches), 2)), ElementsAre("f1 3", "g1 3"));
}

// Ten kernels of one kind each, and one of ten kinds.
TEST(ChosenLaunches, AreOfTheKernelsWithMostTimePerLaunch) {
  std::vector<RecordedLaunch> launches;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10; ++i) {
      launches.push_back(launch("k" + std::to_string(i), 1, 10 + i));
      launches.push_back(launch("many", 1 + i, 12.5));
    }
  }
  launches = numbered(launches);
  const LaunchChoice few = choose_launches(launches, 4);
  EXPECT_THAT(few.symbols, ElementsAre("k6", "k7", "k8", "k9"));
  EXPECT_DOUBLE_EQ(few.share_of_time, 2 * (16 + 17 + 18 + 19) / (2 * (145 + 125.0)));
  const LaunchChoice more = choose_launches(launches, 17);
  EXPECT_THAT(more.symbols, ElementsAre("k3", "k4", "k5", "k6", "k7", "k8", "k9", "many"));
  EXPECT_EQ(more.launches.size(), 17u);
  EXPECT_EQ(choose_launches(launches, 20).kinds_taken, 20u);
}

// A factorisation launches each kernel with a smaller grid in each step.
TEST(ChosenLaunches, AreSingleOnesOfKernelsWithTooManyKinds) {
  std::vector<RecordedLaunch> launches;
  for (int i = 100; i > 0; --i) {
    launches.push_back(launch("row", i, 1));
    launches.push_back(launch("update", i, i));
  }
  const LaunchChoice choice = choose_launches(numbered(launches), 10);
  EXPECT_EQ(choice.numbers_are, ChosenNumbers::kOfKernels);
  EXPECT_THAT(choice.numbers, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(choice.launches.size(), 10u);
  EXPECT_THAT(selection_arguments(choice, false),
              ElementsAre("--kernel-id", ":::^(1|2|3|4|5)$", "--kernel-name-base", "mangled"));
  EXPECT_THAT(selection_arguments(choice, true),
              ElementsAre("--kernel-id", ":::^(1|2|3|4|5)$", "--kernel-name-base", "mangled",
                          "--launch-count", "10", "--kill", "yes"));
}

TEST(ChosenLaunches, NeverExceedTheirBound) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 40; ++i) {
    for (int kernel = 0; kernel < 5; ++kernel)
      launches.push_back(launch("k" + std::to_string(kernel), 1 + i * kernel % 7, 1 + i));
  }
  launches = numbered(launches);
  double share = 0;
  for (std::size_t most = 1; most < 60; ++most) {
    const LaunchChoice choice = choose_launches(launches, most);
    EXPECT_LE(choice.launches.size(), most);
    EXPECT_EQ(choice.launches.empty(), choice.kinds_taken == 0) << most;
    share = std::max(share, choice.share_of_time);
  }
  EXPECT_DOUBLE_EQ(share, 1);
}

TEST(ChosenLaunches, SayHowManyTheSmallestChoiceHas) {
  const LaunchChoice none = choose_launches(numbered({launch("a", 1), launch("b", 1)}), 0);
  EXPECT_TRUE(none.launches.empty());
  EXPECT_EQ(none.least, 1u);
  EXPECT_EQ(choose_launches({}, 10).least, 0u);
}

TEST(ChosenLaunches, AreSelectedByKernelsAndNumbers) {
  LaunchChoice choice;
  choice.symbols = {"_Z1fIiEvT_", "a.b$1", "ns::g"};
  choice.numbers = {1, 40};
  EXPECT_THAT(selection_arguments(choice, true),
              ElementsAre("--kernel-id", "::regex:^(_Z1fIiEvT_|a\\.b\\$1|ns..g)$:^(1|40)$",
                          "--kernel-name-base", "mangled", "--filter-mode", "per-launch-config"));
}

// The profiler's argument has a longest length.
TEST(ChosenLaunches, LeaveOutKernelsWhoseNamesAreTooLongTogether) {
  std::vector<RecordedLaunch> launches;
  for (int i = 0; i < 30; ++i) launches.push_back(launch(std::string(5000, 'a' + i % 26) + "x", 1));
  const LaunchChoice choice = choose_launches(numbered(launches), 100);
  EXPECT_LT(selection_arguments(choice, false)[1].size(), 110'000u);
  EXPECT_FALSE(choice.launches.empty());
}

}  // namespace
}  // namespace pnsim::gpu
