// The cycles of L1's tag look-ups, and which warps wait for lines of single lanes.
#include "simulator/model/memory/tag_banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// Enumerates all placements of the balls in the bins.
double fullest_of_all_ways(int balls, int bins) {
  std::vector<int> bin_of(static_cast<std::size_t>(balls), 0);
  double sum = 0, ways = 0;
  while (true) {
    std::vector<int> in(static_cast<std::size_t>(bins), 0);
    for (const int bin : bin_of) ++in[static_cast<std::size_t>(bin)];
    sum += *std::max_element(in.begin(), in.end());
    ++ways;
    std::size_t ball = 0;
    while (ball < bin_of.size() && ++bin_of[ball] == bins) bin_of[ball++] = 0;
    if (ball == bin_of.size()) return sum / ways;
  }
}

TEST(FullestBin, IsTheMeanOverAllWays) {
  for (int bins = 1; bins <= 4; ++bins) {
    const FullestBin fullest(bins);
    for (int balls = 1; balls <= 6; ++balls) {
      EXPECT_NEAR(fullest.of(balls), fullest_of_all_ways(balls, bins), 1e-9)
          << balls << " into " << bins;
    }
  }
}

TEST(FullestBin, GoesOnBetweenWholeNumbersAndStopsAtAWarp) {
  const FullestBin four(4);
  EXPECT_EQ(four.of(0), 0);
  EXPECT_NEAR(four.of(2.5), (four.of(2) + four.of(3)) / 2, 1e-12);
  EXPECT_EQ(four.of(1e9), four.of(32));
  EXPECT_NEAR(FullestBin(1).of(32), 32, 1e-9);
  EXPECT_NEAR(FullestBin(32).of(2), 1 + 1.0 / 32, 1e-12);
}

// Microbenchmarks: 31 consecutive lines take 8 cycles. 32 random words in 64 KiB, which lie in 31
// of 512 lines, take 10.7 cycles.
TEST(TagBanks, AreAsFastAsMeasured) {
  const TagBanks banks(4);
  SegmentAccess access{
      .access_class = "global_load", .count = 1, .bytes = 4, .sectors = 31, .tag_lookups = 31};
  access.addresses = Addresses::kComputed;
  EXPECT_NEAR(banks.cycles(access_pattern(access), true), 31.0 / 4, 1e-9);
  access.addresses = Addresses::kLoaded;
  EXPECT_NEAR(banks.cycles(access_pattern(access), true), 10.7, 0.5);
}

TEST(TagBanks, LinesLieAnywhereWhereLanesLookThemUpOrMeetInThem) {
  SegmentAccess access{.access_class = "global_load",
                       .count = 2,
                       .bytes = 4,
                       .sectors = 44,
                       .tag_lookups = 44};  // 22 lines each
  EXPECT_TRUE(access_pattern(access).random) << "ten of 32 lanes share lines";
  access.lanes = 22;
  EXPECT_FALSE(access_pattern(access).random) << "columns, perhaps";
  access.addresses = Addresses::kLoaded;
  EXPECT_TRUE(access_pattern(access).random);
  access.lanes = 32;
  access.addresses = Addresses::kComputed;
  EXPECT_FALSE(access_pattern(access).random) << "several lanes read each column of a tile";
  access.addresses = Addresses::kLoaded;
  access.sectors = access.tag_lookups = 6;  // rows
  EXPECT_FALSE(access_pattern(access).random);
  access = {.access_class = "global_load",
            .count = 1,
            .bytes = 4,
            .sectors = 32,
            .tag_lookups = 8};  // words a sector apart
  EXPECT_FALSE(access_pattern(access).random);
}

// The counted wavefronts are those of the data. The port is also busy for the tag look-ups, and the
// longer of the two counts.
TEST(TagBanks, HoldThePort) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(32);
  launch.segments[0].accesses[0].addresses = Addresses::kLoaded;
  launch.counters = {{"l1_wavefronts", 1}};
  const auto port = [&] { return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).port; };
  EXPECT_NEAR(port(), FullestBin(4).of(32), 1e-9);
  launch.segments[0].accesses[0].addresses = Addresses::kComputed;
  EXPECT_NEAR(port(), 8, 1e-9);
  launch.segments[0] = load_of_lines(1);
  EXPECT_NEAR(port(), h200().value("l1_load_cycles"), 1e-9);
}

// Consecutive lines take the measured cycles, whatever a load of one line takes. No value of the
// fact gives an unlimited number of banks.
TEST(TagBanks, AreThoseOfTheDevice) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(31);
  launch.counters = {{"l1_wavefronts", 1}};
  for (const char* name : {"h200", "rtx2060super"}) {
    const DeviceProfile device = load_device_profile(name);
    const double port = CostedLaunch(device, launch, 30).cost(std::size_t{0}).port;
    EXPECT_NEAR(port, device.value("l1_load_31_lines_cycles"), 0.5) << name;
  }
  DeviceProfile device = h200();
  for (const double cycles : {1e-12, 1e-19 * 1e2, 1e18}) {
    device.facts["l1_load_31_lines_cycles"].value = cycles;
    EXPECT_GE(CostedLaunch(device, launch, 132).cost(std::size_t{0}).port, 1) << cycles;
  }
}

// Four lanes that still probe a table access four lines: no other warp loads these.
TEST(TagBanks, FewLanesWithLinesOfTheirOwnWaitForThemselves) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 256;
  launch.warp_kinds = {{1056, launch.warp_kinds[0].program}};
  launch.block_kinds = {{132, {{0, 8}}}};
  launch.segments[0] = load_of_lines(4);
  launch.counters = {{"l1_load_sectors", 1'000'000}, {"l1_load_hit_sectors", 900'000}};
  const auto share = [&] { return CostedLaunch(h200(), launch, 132).waits(0).l2; };
  EXPECT_NEAR(share(), 0.1 * (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) * 4, 1e-9)
      << "two of four rows of a tile";
  launch.segments[0].accesses[0].lanes = 4;
  EXPECT_NEAR(share(), 0.1 * (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4), 1e-9);
  EXPECT_NEAR(access_pattern(launch.segments[0].accesses[0]).lines_of_32_lanes, 32, 1e-12);
  // A single lane whose address depends on its place in the grid may share its line with all warps.
  launch.segments[0] = load_of_lines(1);
  launch.segments[0].accesses[0].lanes = 1;
  launch.segments[0].accesses[0].addresses = Addresses::kComputed;
  EXPECT_NEAR(share(), 0.1 * 8, 1e-9);
  launch.segments[0].accesses[0].addresses = Addresses::kLoaded;
  EXPECT_NEAR(share(), 0.1, 1e-9);
}

}  // namespace
}  // namespace pnsim
