// How much of L2 a launch's data occupy, in lines.
#include "simulator/model/memory/footprint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// The expected number of sectors that `requests` random requests touch in a table of `sectors`.
double distinct_of(double requests, double sectors) {
  return sectors * -std::expm1(-requests / sectors);
}

TEST(Footprint, RequestsHereAndThereHaveALineEach) {
  EXPECT_DOUBLE_EQ(lines_of_gathers(1000, 1000), 1000);
  EXPECT_DOUBLE_EQ(lines_of_gathers(1000, 1200), 1000) << "more was read than was requested";
  EXPECT_EQ(lines_of_gathers(0, 5), 0);
  EXPECT_EQ(lines_of_gathers(5, 0), 0);
}

TEST(Footprint, ATableThatIsReadRepeatedlyHasFourSectorsALine) {
  EXPECT_NEAR(lines_of_gathers(1e6, distinct_of(1e6, 4e4)), 1e4, 1);
}

TEST(Footprint, InBetweenLinesFillUpByChance) {
  for (const double sectors : {1e5, 4e5, 1e6, 3e7}) {
    const double lines = sectors / 4 * -std::expm1(-4e6 / sectors);
    EXPECT_NEAR(lines_of_gathers(1e6, distinct_of(1e6, sectors)), lines, 1e-3 * sectors) << sectors;
  }
}

// 264 blocks of two warps; each warp loads one sector a lane.
Launch launch_of(Addresses addresses, std::int64_t read_bytes) {
  Launch launch = uneven_launch();
  launch.segments = {load_of_lines(32)};
  launch.segments[0].accesses[0].addresses = addresses;
  launch.warp_kinds = {{528, {item(0)}}};
  launch.block_kinds.clear();
  launch.counters = {{"l2_read_sectors", 528 * 32}, {"dram_read_bytes", read_bytes}};
  return launch;
}

Footprint footprint(const Launch& launch) {
  return footprint_of(launch, access_patterns(launch), {});
}

TEST(Footprint, GatheredSectorsHoldTheirLines) {
  constexpr std::int64_t kAsked = 528 * 32 * 32;  // bytes
  EXPECT_NEAR(footprint(launch_of(Addresses::kLoaded, kAsked)).all(), 4 * kAsked, 1);
  EXPECT_NEAR(footprint(launch_of(Addresses::kComputed, kAsked)).all(), kAsked, 1)
      << "the next warps use the other sectors";
  EXPECT_NEAR(footprint(launch_of(Addresses::kLoaded, 2 * kAsked)).all(), 4 * kAsked, 1)
      << "pairs of sectors: an equal amount is idle";
  EXPECT_NEAR(footprint(launch_of(Addresses::kLoaded, kAsked / 100)).all(), kAsked / 100.0,
              kAsked / 1000.0)
      << "a small table";
  EXPECT_EQ(footprint(launch_of(Addresses::kLoaded, 0)).all(), 0);
}

TEST(Footprint, GrowsWithWhatWasRead) {
  constexpr std::int64_t kAsked = 528 * 32 * 32;  // bytes
  double before = 0;
  for (std::int64_t read = 0; read <= 2 * kAsked; read += kAsked / 256) {
    const double all = footprint(launch_of(Addresses::kLoaded, read)).all();
    EXPECT_GE(all, before) << read;
    EXPECT_GE(all, static_cast<double>(read));
    before = all;
  }
  EXPECT_NEAR(before, 4.0 * kAsked, 1);
}

TEST(Footprint, StoresTakeWhatTheyWriteAndNoMoreThanTheirSectors) {
  Launch launch = launch_of(Addresses::kComputed, 0);
  launch.segments[0].classes = {{"global_store", 1}};
  launch.segments[0].accesses[0].access_class = "global_store";
  launch.counters = {{"l1_store_sectors", 528 * 4}};
  EXPECT_EQ(footprint(launch).written, 528 * 4 * 32);
  launch.counters["l1_store_sectors"] = 528 * 32;
  EXPECT_EQ(footprint(launch).written, 528 * 32 * 4);
  EXPECT_EQ(footprint(launch).read, 0);
}

}  // namespace
}  // namespace pnsim
