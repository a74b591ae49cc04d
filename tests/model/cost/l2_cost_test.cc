// What stores and loads cost at L2.
#include "simulator/model/cost/l2_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/launch/executions.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// One instruction of a warp that stores 8 bytes a lane into `lines` lines.
Segment store_of(double sectors, double lines, double lanes = 32) {
  Segment store;
  store.classes = {{"global_store", 1}};
  store.accesses.push_back({.access_class = "global_store",
                            .count = 1,
                            .bytes = 8,
                            .sectors = sectors,
                            .tag_lookups = lines,
                            .lanes = lanes});
  return store;
}

Segment load_of(double sectors, double lines) {
  Segment load = load_of_lines(lines);
  load.accesses[0].sectors = sectors;
  return load;
}

// Warps that execute these segments once each; nothing hits L1, and L1 merges no stores.
Launch launch_of_segments(const std::vector<Segment>& segments) {
  Launch launch = uneven_launch();
  launch.segments = segments;
  launch.warp_kinds = {{528, {}}};
  launch.block_kinds.clear();
  for (std::size_t s = 0; s < segments.size(); ++s) launch.warp_kinds[0].program.push_back(item(s));
  launch.counters = {{"l1_load_sectors", 1000},
                     {"l2_read_sectors", 1000},
                     {"l1_store_sectors", 1000},
                     {"l2_write_sectors", 1000}};
  return launch;
}

double l2_cycles(const std::vector<Segment>& segments, double busy_sms = 132,
                 const Heuristics& heuristics = unloaded()) {
  const CostedLaunch costed(h200(), launch_of_segments(segments), busy_sms, heuristics);
  double sum = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) sum += costed.cost(s).l2;
  return sum;
}

// The cycles that an SM needs for `number` operations if all SMs together do `rate` a second.
double share(double number, double rate) {
  return number * 132 * h200_facts().cycles_per_ns() * 1e9 / rate;
}

TEST(L2Cost, LoadsAndStoresPassTogetherFasterThanOneAfterTheOther) {
  const Segment load = load_of(4, 1), store = store_of(4, 1);
  const double loads = l2_cycles({load}), stores = l2_cycles({store});
  const double both = l2_cycles({load, store});
  EXPECT_LT(both, loads + stores);
  EXPECT_GT(both, std::max(loads, stores));
  EXPECT_NEAR(l2_cycles({load, store}, 132, unloaded().without(Heuristic::kL2BothDirections)),
              loads + stores, 1e-9);
}

TEST(L2Cost, SingleSectorsTakeALookUpEachInBothDirections) {
  const Segment load = load_of(1, 1), store = store_of(1, 1, 4);
  EXPECT_NEAR(l2_cycles({load, store}), l2_cycles({load}) + l2_cycles({store}), 1e-9);
}

TEST(L2Cost, FewStoresBesideManyLoadsCostNothing) {
  Segment loads = load_of(4, 1);
  loads.classes["global_load"] = loads.accesses[0].count = 8;
  loads.accesses[0].sectors = 32;
  loads.accesses[0].tag_lookups = 8;
  EXPECT_NEAR(l2_cycles({loads, store_of(4, 1)}), share(8 * 128, h200_facts().l2.read), 1e-6);
}

TEST(L2Cost, ACopyTakesWhatWasMeasuredOfCopies) {
  Segment store = store_of(4, 1);
  store.accesses[0].bytes = 4;
  EXPECT_NEAR(l2_cycles({load_of(4, 1), store}), share(2 * 128, h200_facts().l2.copy), 1e-6);
}

// Misses that DRAM does not serve bring a pair of sectors each on the way of the stores.
TEST(L2Cost, DataInTheOtherPartitionTakeTheWayOfStores) {
  Launch launch = launch_of_segments({load_of(4, 1), store_of(16, 4)});
  const auto cycles = [&](const DeviceProfile& device, const Heuristics& heuristics) {
    const CostedLaunch costed(device, launch, 132, heuristics);
    return costed.cost(std::size_t{0}).l2 + costed.cost(std::size_t{1}).l2;
  };
  const double near = cycles(h200(), unloaded());
  launch.counters["l2_miss_sectors"] = 100;  // a tenth
  const double far = cycles(h200(), unloaded());
  EXPECT_NEAR(far - near, share(0.4 * 2 * 32, h200_facts().l2.write), 1e-6);
  EXPECT_EQ(cycles(h200(), unloaded().without(Heuristic::kPartitionCrossings)), near);
  DeviceProfile one_partition = h200();
  one_partition.facts["l2_partitions"].value = 1;
  EXPECT_EQ(cycles(one_partition, unloaded()), near);
  launch.segments.pop_back();
  launch.warp_kinds[0].program.pop_back();
  EXPECT_EQ(CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).l2, l2_cycles({load_of(4, 1)}))
      << "loads alone leave room on that way";
}

// A load of one line, half of which lie in the other partition, takes half of the measured time
// more.
TEST(L2Cost, DataInTheOtherPartitionTakeLonger) {
  Launch launch = launch_of_segments({load_of(4, 1)});
  const auto latency = [&](const DeviceProfile& device) {
    return CostedLaunch(device, launch, 132, unloaded().without(Heuristic::kSlowestWarp))
        .cost(std::size_t{0})
        .latency;
  };
  const double near = latency(h200());
  launch.counters["l2_miss_sectors"] = 250;  // one a pair: half of the lines
  EXPECT_NEAR(latency(h200()) - near,
              h200().value("l2_stored_latency_cycles") - h200().value("l2_latency_cycles"), 1e-6);
  DeviceProfile unknown = h200();
  unknown.facts.erase("l2_stored_latency_cycles");
  EXPECT_EQ(latency(unknown), near);
}

// DRAM serves these misses, whatever partition the data would be in.
TEST(L2Cost, DataFromDramDoNotCross) {
  Launch launch = launch_of_segments({load_of(4, 1), store_of(16, 4)});
  launch.counters["l2_miss_sectors"] = 250;
  launch.counters["dram_read_bytes"] = 250 * 32;
  EXPECT_EQ(traffic_of(launch, h200()).l2.crossing, 0);
  launch.counters["dram_read_bytes"] = 100 * 32;
  EXPECT_NEAR(traffic_of(launch, h200()).l2.crossing, 0.15, 1e-12);
}

// Sectors of loads are written into L2 beside the stores.
TEST(L2Cost, WhatDramDeliversEntersL2AsStoresDo) {
  const auto cycles = [](double fetched, std::vector<Segment> segments, const DeviceProfile& device,
                         const Heuristics& heuristics = unloaded()) {
    Launch launch = launch_of_segments(segments);
    launch.start = CacheStart::kCold;
    launch.counters["l2_miss_sectors"] = 1000 * fetched;
    launch.counters["dram_read_bytes"] = 1000 * fetched * 32;
    const CostedLaunch costed(device, launch, 132, heuristics);
    double sum = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) sum += costed.cost(s).l2;
    return sum;
  };
  const double rate = h200().value("l2_fill_bandwidth");
  const std::vector<Segment> copy{load_of(16, 4), store_of(16, 4)};
  for (const double fetched : {0.25, 0.5, 1.0}) {
    EXPECT_NEAR(cycles(fetched, copy, h200()) - cycles(0, copy, h200()),
                share(16 * fetched * 32, rate), 1e-6)
        << fetched;
  }
  DeviceProfile unknown = h200();
  unknown.facts.erase("l2_fill_bandwidth");
  EXPECT_EQ(cycles(1, copy, unknown), cycles(0, copy, unknown));
  EXPECT_EQ(cycles(1, copy, h200(), unloaded().without(Heuristic::kFillsEnterL2)),
            cycles(1, copy, unknown));
  const std::vector<Segment> load{load_of(16, 4)}, store{store_of(16, 4)};
  EXPECT_EQ(cycles(0.25, load, h200()), cycles(0, load, h200())) << "few sectors find room";
  EXPECT_GT(cycles(1, load, h200()), cycles(0, load, h200()));
  EXPECT_LT(cycles(1, load, h200()), share(16 * 32, h200_facts().dram.read))
      << "reads of DRAM alone are measured to be slower than what enters L2 then";
  EXPECT_EQ(cycles(1, store, h200()), cycles(0, store, h200()));
}

// A device whose copy bandwidth is no higher than its store bandwidth.
TEST(L2Cost, StoresMakeNoLoadSlower) {
  DeviceProfile device = h200();
  for (const char* fact : {"l2_copy_bandwidth", "l2_copy_8_blocks_bandwidth"})
    device.facts[fact].value /= 4;
  const Segment load = load_of_lines(32);
  const double alone =
      CostedLaunch(device, launch_of_segments({load}), 132).cost(std::size_t{0}).l2;
  const CostedLaunch both(device, launch_of_segments({load, store_of(4, 1)}), 132);
  EXPECT_LE(both.cost(std::size_t{0}).l2, alone * (1 + 1e-9));
}

TEST(L2Cost, StoresTakeWhatWasMeasuredOfLinesSectorsAndParts) {
  const DeviceFacts& facts = h200_facts();
  EXPECT_NEAR(l2_cycles({store_of(8, 2)}), share(8, facts.l2.write / 32), 1e-6) << "whole lines";
  EXPECT_NEAR(l2_cycles({store_of(8, 8)}), share(8, facts.full_l2_store_rate), 1e-6) << "sectors";
  EXPECT_NEAR(l2_cycles({store_of(8, 8, 4)}), share(8, facts.partial_l2_store_rate), 1e-6)
      << "parts of sectors";
}

TEST(L2Cost, StoresTakeLongerTheMoreLinesTheyHave) {
  double before = 0;
  for (double lines = 2; lines <= 8; ++lines) {
    const double now = l2_cycles({store_of(8, lines)});
    EXPECT_GT(now, before) << lines;
    before = now;
  }
}

TEST(L2Cost, PartiallyWrittenSectorsTakeLongerThanWholeOnes) {
  EXPECT_GT(l2_cycles({store_of(8, 2, 16)}), l2_cycles({store_of(8, 2)}));
}

// Half of the lanes store 8 bytes each, so all eight sectors are half full.
TEST(L2Cost, AStoreTakesLongerForEachOfItsPartialSectors) {
  const DeviceFacts& facts = h200_facts();
  EXPECT_NEAR(l2_cycles({store_of(8, 2, 16)}),
              share(8, facts.l2.write / 32) + share(8, facts.partial_l2_store_rate) -
                  share(8, facts.full_l2_store_rate),
              1e-6);
}

// L1 merges the sectors of the store above in pairs, which fills them.
TEST(L2Cost, SectorsThatL1MergesAreFull) {
  Launch launch = launch_of_segments({store_of(8, 2, 16)});
  launch.counters["l2_write_sectors"] = launch.counters.at("l1_store_sectors") / 2;
  EXPECT_NEAR(CostedLaunch(h200(), launch, 132, unloaded()).cost(std::size_t{0}).l2,
              share(4, h200_facts().l2.write / 32), 1e-6);
}

// One lane begins a copy of two lines, of which a row of the model says 4 bytes.
TEST(L2Cost, BulkStoresWriteWholeSectors) {
  Segment copy = store_of(8, 2, 1);
  copy.accesses[0].access_class = "bulk_store";
  copy.accesses[0].bytes = 4;
  copy.classes = {{"bulk_store", 1}};
  EXPECT_NEAR(l2_cycles({copy}), share(8, h200_facts().l2.write / 32), 1e-6);
}

// Data that L2 does not keep, and twice as many bytes written to DRAM as were stored.
TEST(L2Cost, L2WritesBackPartiallyWrittenSectorsIndividually) {
  Launch launch = launch_of_segments({store_of(8, 2, 16)});
  const auto cycles = [&] { return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).l2; };
  launch.warp_kinds[0].warps = 10'000'000;
  const std::int64_t sectors = 80'000'000;
  launch.counters = {{"l1_store_sectors", sectors}, {"l2_write_sectors", sectors}};
  const double kept = cycles();
  launch.counters["dram_write_bytes"] = 32 * sectors;
  launch.counters["dram_read_bytes"] = 32 * sectors;
  EXPECT_GT(cycles(), kept);
}

TEST(L2Cost, WordsOfColumnsPassAtARateOfTheirOwn) {
  const auto cycles = [](Addresses addresses, std::int64_t bytes) {
    Segment store = store_of(32, 32);
    store.accesses[0].bytes = bytes;
    store.accesses[0].addresses = addresses;
    return l2_cycles({store});
  };
  const DeviceFacts& facts = h200_facts();
  EXPECT_NEAR(cycles(Addresses::kComputed, 4), share(32, facts.pitched_l2_store_rate), 1e-6);
  EXPECT_NEAR(cycles(Addresses::kLoaded, 4), share(32, facts.partial_l2_store_rate), 1e-6);
  EXPECT_NEAR(cycles(Addresses::kUnknown, 4), share(32, facts.partial_l2_store_rate), 1e-6);
  EXPECT_EQ(cycles(Addresses::kComputed, 8), cycles(Addresses::kLoaded, 8)) << "two words a sector";
}

TEST(L2Cost, OneBusySmIsNoFasterThanItsOwnWayToL2) {
  const DeviceFacts& facts = h200_facts();
  const Segment words = store_of(32, 32, 4), load = load_of_lines(32);
  const double one = 1e9 * facts.cycles_per_ns() * 32;
  EXPECT_NEAR(l2_cycles({words}, 1), one / facts.sm_partial_l2_store_rate, 1e-6);
  EXPECT_NEAR(l2_cycles({words}, 132), share(32, facts.partial_l2_store_rate), 1e-6);
  EXPECT_NEAR(l2_cycles({load}, 1), one / facts.sm_random_l2_sector_rate, 1e-6);
  EXPECT_GT(l2_cycles({load}, 132), l2_cycles({load}, 1));
}

// A cold launch, so that misses stay misses.
TEST(L2Cost, AMissIsLookedUpTwice) {
  Launch launch = launch_of_segments({load_of_lines(32)});
  launch.start = CacheStart::kCold;
  const auto loads = std::llround(32 * executions_of(launch)[0]);
  const auto cycles = [&](std::int64_t missed) {
    launch.counters = {{"l1_load_sectors", loads},
                       {"l2_read_sectors", loads},
                       {"l2_miss_sectors", missed},
                       {"dram_read_bytes", 64 * missed}};
    const Heuristics lookups_alone = unloaded().without(Heuristic::kFillsEnterL2);
    return CostedLaunch(h200(), launch, 132, lookups_alone).cost(std::size_t{0}).l2;
  };
  const double hits = share(32, h200_facts().random_l2_sector_rate);
  EXPECT_NEAR(cycles(0), hits, 1e-6);
  EXPECT_GT(cycles(loads / 2), hits);
  EXPECT_LT(cycles(loads / 2), 2 * hits);
  EXPECT_NEAR(cycles(loads), 2 * hits, 1e-6);
}

// The few lines of a small table are spread unevenly over the slices.
TEST(L2Cost, ARequestHasAsManyLinesAsMissL1) {
  const SegmentAccess access = load_of(32, 8).accesses[0];
  EXPECT_EQ(requested_lines(access, {}), 8);
  EXPECT_EQ(requested_lines(access, LoadTraffic{.l1_hits = 0.75}), 2);
  EXPECT_EQ(requested_lines(access, LoadTraffic{.l1_hits = 1}), 0);
}

// Requests of several SMs for the same sectors are merged on their way to L2.
TEST(L2Cost, MergedRequestsTakeL2LessTime) {
  Launch launch = launch_of_segments({load_of(4, 1)});
  launch.counters["l1_load_sectors"] = 2000;
  const auto cycles = [&](const Heuristics& heuristics) {
    return CostedLaunch(h200(), launch, 132, heuristics).cost(0).l2;
  };
  const Heuristics apart = unloaded().without(Heuristic::kMergedRequests);
  EXPECT_NEAR(traffic_of(launch, h200()).l2.reads_reaching, 0.5, 1e-9);
  EXPECT_EQ(traffic_of(launch, h200(), apart).l2.reads_reaching, 1);
  EXPECT_LT(cycles(unloaded()), cycles(apart));
  EXPECT_GT(cycles(unloaded()), cycles(apart) / 2) << "the way of this SM alone";
  launch.counters["l2_read_sectors"] = 5000;
  EXPECT_EQ(traffic_of(launch, h200()).l2.reads_reaching, 1) << "never more than missed L1";
  launch.counters.erase("l2_read_sectors");
  EXPECT_EQ(traffic_of(launch, h200()).l2.reads_reaching, 1) << "not counted";
}

// Microbenchmark scattered_stores: a store among loads takes the port longer than a load does.
TEST(L2Cost, StoresOfSingleSectorsHoldThePortOfL1) {
  const auto port = [](const Segment& segment, const Heuristics& heuristics = {}) {
    return CostedLaunch(h200(), launch_of_segments({segment}), 132, heuristics)
        .cost(std::size_t{0})
        .port;
  };
  const ScatteredStoreFacts& facts = *h200_facts().scattered_stores;
  const double scattered = port(store_of(32, 32));
  const auto as_long_as = [&](double together) {  // in lines of a load
    return 2 * (together - facts.scattered_loads_cycles) / facts.scattered_loads_cycles;
  };
  const double line = h200_facts().l1_load_cycles;
  EXPECT_NEAR(scattered, 32 * line * as_long_as(facts.scattered_loads_and_store_4_bytes_cycles),
              1e-6)
      << "words of 8 bytes fill no sector";
  Segment halves = store_of(32, 32);
  halves.accesses[0].bytes = 2;
  EXPECT_NEAR(port(halves), 32 * line * as_long_as(facts.scattered_loads_and_store_2_bytes_cycles),
              1e-6);
  const double lookups = port(store_of(32, 32), Heuristics{}.without(Heuristic::kStoresHoldPort));
  EXPECT_NEAR(lookups, 32 * h200_facts().l1_load_cycles, 1e-6);
  EXPECT_LT(port(store_of(8, 2)), 3) << "whole lines: the look-ups alone";
  const double between = port(store_of(32, 8));
  EXPECT_NEAR(between, scattered * 8 / 32, 1e-6) << "for each line";
  EXPECT_NEAR(port(load_of(32, 32)), lookups, 1e-9) << "loads";
  Segment nothing = store_of(0, 0);
  EXPECT_GE(port(nothing), 0);
  nothing.accesses[0].access_class = "global_reduction";
  EXPECT_GE(port(nothing), 0) << "atomics hold nothing";
}

// The store comes behind the load, so the load's own latency does not grow.
TEST(L2Cost, AStoreDoesNotDelayLoadsOfItsOwnSegment) {
  const Heuristics free = Heuristics{}.without(Heuristic::kStoresHoldPort);
  Segment both = load_of(4, 1);
  both.classes["global_store"] = 1;
  both.accesses.push_back(store_of(32, 32).accesses[0]);
  const auto cost = [&](const Heuristics& heuristics) {
    return CostedLaunch(h200(), launch_of_segments({both}), 132, heuristics).cost(std::size_t{0});
  };
  EXPECT_GT(cost({}).port, cost(free).port);
  EXPECT_DOUBLE_EQ(cost({}).latency, cost(free).latency);
}

}  // namespace
}  // namespace pnsim
