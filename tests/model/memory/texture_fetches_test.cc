// Texture fetches: only the totals of a launch have their sectors.
#include "simulator/model/memory/texture_fetches.h"

#include <gtest/gtest.h>

#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// 8 warps, each of four fetches, and then an addition.
Launch fetching(std::int64_t looked_up, std::int64_t missed) {
  Segment fetch = arithmetic(1, 0), add = arithmetic(1, 0);
  fetch.classes["texture"] = 4;
  fetch.accesses.push_back({.access_class = "texture", .count = 4, .bytes = 4});
  add.waits_for = {LateResult::kTexture};
  Launch launch;
  launch.kernel = "fetching";
  launch.grid = 8;
  launch.block = 32;
  launch.segments = {fetch, add};
  ProgramItem first, second;
  first.segment = 0;
  second.segment = 1;
  launch.warp_kinds = {{8, {first, second}}};
  launch.counters = {{"texture_sectors", looked_up}, {"texture_hit_sectors", looked_up - missed}};
  return launch;
}

TEST(TextureFetches, AskForWhatTheyMissAndForOneSectorAtLeast) {
  const TextureFetches broadcast =
      texture_fetches(fetching(8 * 4 * 4, 8));  // a miss for four fetches
  EXPECT_EQ(broadcast.count, 32);
  EXPECT_EQ(broadcast.looked_up, 4);
  EXPECT_EQ(broadcast.sectors, 1);
  EXPECT_DOUBLE_EQ(broadcast.l1_hits, 0.75);
  const TextureFetches streaming = texture_fetches(fetching(8 * 4 * 4, 8 * 4 * 4));
  EXPECT_EQ(streaming.sectors, 4);
  EXPECT_EQ(streaming.l1_hits, 0);
  EXPECT_EQ(texture_fetches(uneven_launch()).count, 0);
}

TEST(TextureFetches, WhereHitsWereNotCountedL2TellsOfMisses) {
  Launch launch = fetching(128, 0);
  launch.counters.erase("texture_hit_sectors");
  launch.counters["l2_read_sectors"] = 20;
  launch.counters["l1_load_sectors"] = 30;
  launch.counters["l1_load_hit_sectors"] = 18;  // 12 of the 20 are loads'
  EXPECT_DOUBLE_EQ(texture_fetches(launch).l1_hits, 1 - 8.0 / 32);
  launch.counters["l2_read_sectors"] = 5;
  EXPECT_EQ(texture_fetches(launch).l1_hits, 1);
}

double latency(const Launch& launch) {
  const Launch known = with_texture_sectors(launch);
  return CostedLaunch(h200(), known, 8).cost(std::size_t{0}).latency;
}

TEST(TextureFetches, AMissIsWaitedForThroughTheTextureUnit) {
  const double hit = latency(fetching(128, 0)), miss = latency(fetching(128, 128));
  EXPECT_GE(hit, h200().value("texture_latency_cycles"));
  const double through = h200().value("texture_latency_cycles") - h200().value("l1_latency_cycles");
  EXPECT_GE(miss, h200().value("l2_latency_cycles") + through);
  EXPECT_GT(latency(fetching(128, 8)), hit) << "one of four misses";
  EXPECT_LT(latency(fetching(128, 2)), miss);
}

TEST(TextureFetches, HoldThePortByTheSectorsTheyLookUp) {
  const auto port = [](std::int64_t looked_up) {
    const Launch known = with_texture_sectors(fetching(looked_up, 0));
    return CostedLaunch(h200(), known, 8).cost(std::size_t{0}).port;
  };
  EXPECT_DOUBLE_EQ(port(32 * 4), 4 * h200().value("texture_fetch_cycles"));
  EXPECT_DOUBLE_EQ(port(32 * 32), 4 * h200().value("texture_32_sectors_fetch_cycles"));
  EXPECT_DOUBLE_EQ(port(32 * 1000), port(32 * 32));
  EXPECT_GT(port(32 * 16), port(32 * 4));
}

// Texture fetches do not change the misses of loads in the same launch.
TEST(TextureFetches, DoNotTakeTheMissesOfLoads) {
  Launch launch = fetching(128, 64);
  launch.segments[1].classes["global_load"] = 1;
  launch.segments[1].accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  launch.counters["l1_load_sectors"] = 32;
  launch.counters["l1_load_hit_sectors"] = 24;
  const Traffic traffic = traffic_of(with_texture_sectors(launch), h200());
  EXPECT_DOUBLE_EQ(traffic.loads.at(1).at(0).l1_hits, 0.75);
  EXPECT_DOUBLE_EQ(traffic.loads.at(0).at(0).l1_hits, texture_fetches(launch).l1_hits);
}

}  // namespace
}  // namespace pnsim
