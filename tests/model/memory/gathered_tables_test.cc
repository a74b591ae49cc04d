// Gathered tables: their size, inferred from hits in L1, and the cost of their misses at L2.
#include "simulator/model/memory/gathered_tables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

constexpr double kL1 = 200'000;

TEST(GatheredTables, AreAsLargeAsTheirHitsSay) {
  for (const double times : {0.1, 1.0, 4.0}) {  // that each of 1000 sectors is requested
    const double hits = 1 - (1 - std::exp(-times)) / times;
    EXPECT_NEAR(gathered_bytes(times * 1000, hits, kL1), 32'000, 1) << times;
  }
}

TEST(GatheredTables, ThatL1DoesNotKeepAreFoundByItsShareOfThem) {
  EXPECT_DOUBLE_EQ(gathered_bytes(1e9, 0.25, kL1), 4 * kL1);
}

TEST(GatheredTables, TablesWithoutAnyHitAreUnknown) {
  EXPECT_EQ(gathered_bytes(1000, 0.01, kL1), 0);
  EXPECT_EQ(gathered_bytes(0, 0.5, kL1), 0);
  EXPECT_GT(gathered_bytes(1000, 1, kL1), 0) << "the size for a hit at every access";
}

TEST(GatheredTables, PassL2TheFasterTheLargerTheyAre) {
  const auto fact = [](const char* name) { return h200().value(name); };
  const double large = fact("random_l2_sector_rate");
  EXPECT_EQ(random_l2_rate(h200_facts(), 0), large);
  EXPECT_EQ(random_l2_rate(h200_facts(), 1), fact("random_l2_16_kib_sector_rate"));
  EXPECT_EQ(random_l2_rate(h200_facts(), 64 * 1024), fact("random_l2_64_kib_sector_rate"));
  EXPECT_NEAR(random_l2_rate(h200_facts(), 128 * 1024),
              (fact("random_l2_64_kib_sector_rate") + fact("random_l2_256_kib_sector_rate")) / 2,
              1);
  EXPECT_EQ(random_l2_rate(h200_facts(), 1e12), large);
}

// A loop that reads an index and gathers with it; half of the gathered sectors hit L1.
Launch gathering(Addresses addresses) {
  Launch launch = uneven_launch();
  launch.grid = 264;
  launch.segments = {load_of_lines(1), load_of_lines(32)};
  launch.segments[0].accesses[0].sectors = 4;
  launch.segments[0].accesses[0].addresses = Addresses::kComputed;
  launch.segments[1].accesses[0].addresses = addresses;
  launch.warp_kinds = {{528, {loop(100, {item(0), item(1)})}}};
  launch.block_kinds.clear();
  constexpr std::int64_t kTurns = 52'800;
  launch.counters = {{"l1_load_sectors", kTurns * 36},
                     {"l1_load_hit_sectors", kTurns * 16},
                     {"l2_read_sectors", kTurns * 20}};
  return launch;
}

double l2_cycles(const Launch& launch, std::size_t segment) {
  return CostedLaunch(h200(), launch, 132).cost(segment).l2;
}

TEST(GatheredTables, CostTheGathersOfABodyThatHasNoOther) {
  EXPECT_GT(l2_cycles(gathering(Addresses::kLoaded), 1),
            1.05 * l2_cycles(gathering(Addresses::kComputed), 1));
  EXPECT_EQ(l2_cycles(gathering(Addresses::kUnknown), 1),
            l2_cycles(gathering(Addresses::kComputed), 1));
  Launch two = gathering(Addresses::kLoaded);
  two.segments[0] = load_of_lines(32);
  Launch unknown = two;
  unknown.segments[1].accesses[0].addresses = Addresses::kUnknown;
  EXPECT_EQ(l2_cycles(two, 1), l2_cycles(unknown, 1)) << "it is unknown which gather hits";
}

}  // namespace
}  // namespace pnsim
