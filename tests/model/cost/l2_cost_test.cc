// What stores, loads and atomics cost at L2.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/cost/memory_use.h"
#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/counted_atomics.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

// L2 takes loads and stores at a time; one way alone is as slow as measured alone.
TEST(L2Cost, loads_and_stores_share_l2_better_than_either_alone) {
  Segment load = load_of_lines(1);
  load.accesses[0].sectors = 4;
  Segment store = load;
  store.classes = {{"global_store", 1}};
  store.accesses[0].access_class = "global_store";
  const auto cycles_of = [](const std::vector<Segment>& segments) {
    Launch launch = uneven_launch();
    launch.segments = segments;
    launch.warp_kinds.resize(1);
    launch.warp_kinds[0].program.clear();
    for (std::size_t s = 0; s < segments.size(); ++s) {
      launch.warp_kinds[0].program.push_back({1, segments[s].counts(), {}, s});
    }
    launch.counters = {{"l1_load_sectors", 1000},
                       {"l2_read_sectors", 1000},
                       {"l1_store_sectors", 1000},
                       {"l2_write_sectors", 1000}};
    const CostModel model(h200(), launch, 132);
    double sum = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) sum += model.cost(s).l2;
    return sum;
  };
  const double loads = cycles_of({load}), stores = cycles_of({store});
  const double both = cycles_of({load, store});
  EXPECT_LT(both, loads + stores);
  EXPECT_GT(both, std::max(loads, stores));
  load.accesses[0].sectors = store.accesses[0].sectors = 1;
  EXPECT_NEAR(cycles_of({load, store}), cycles_of({load}) + cycles_of({store}), 1e-9)
      << "a look-up each";
  store.accesses[0].access_class = "global_reduction";
  store.classes = {{"global_reduction", 1}};
  EXPECT_NEAR(cycles_of({load, store}), cycles_of({load}), 1e-9) << "sums that nobody counted";
}

// Eight sectors take what was measured of whole lines, of whole sectors in lines of their own, and
// of parts of such; in between what a line and a sector take.
TEST(L2Cost, stores_pass_line_by_line) {
  Launch launch = uneven_launch();
  launch.counters = {{"l1_store_sectors", 1000}, {"l2_write_sectors", 1000}};
  const auto cycles_of = [&](double lines, double lanes) {
    Segment store;
    store.classes = {{"global_store", 1}};
    store.accesses.push_back({"global_store", 1, 8, 8, lines, 0, lanes});
    return CostModel(h200(), launch, 132).cost(store).l2;
  };
  const auto at = [](double sectors_a_second) { return 8 * 132 * 1.98e9 / sectors_a_second; };
  EXPECT_NEAR(cycles_of(2, 32), at(h200().value("l2_write_bandwidth") / 32), 1e-6);
  EXPECT_NEAR(cycles_of(8, 32), at(h200().value("full_l2_store_rate")), 1e-6);
  EXPECT_NEAR(cycles_of(8, 4), at(h200().value("partial_l2_store_rate")), 1e-6);
  EXPECT_NEAR(cycles_of(5, 32), (cycles_of(2, 32) + cycles_of(8, 32)) / 2, 1e-6);
  EXPECT_GT(cycles_of(2, 16), cycles_of(2, 32)) << "which bytes, has to be said";
  launch.counters["l1_store_sectors"] = launch.counters["l2_write_sectors"] = 100'000'000;
  const double in_l2 = cycles_of(2, 16) / cycles_of(2, 32);
  launch.counters["dram_write_bytes"] = 3'200'000'000;
  launch.counters["dram_read_bytes"] = 3'200'000'000;
  launch.counters["l2_read_sectors"] = 100'000'000;
  EXPECT_GT(cycles_of(2, 16) / cycles_of(2, 32), in_l2) << "parts of lines go to DRAM one by one";
}

TEST(L2Cost, columns_that_warps_side_by_side_store_pass_slower_than_words_anywhere) {
  const auto cycles_of = [](Addresses addresses, std::int64_t bytes) {
    Launch launch = uneven_launch();
    launch.counters = {{"l1_store_sectors", 1000}, {"l2_write_sectors", 1000}};
    Segment store;
    store.classes = {{"global_store", 1}};
    store.accesses.push_back({"global_store", 1, bytes, 32, 32, 0});
    store.accesses[0].addresses = addresses;
    return CostModel(h200(), launch, 132).cost(store).l2;
  };
  const double words = 32 * 132 * 1.98e9;
  EXPECT_NEAR(cycles_of(Addresses::kComputed, 4), words / h200().value("pitched_l2_store_rate"),
              1e-6);
  EXPECT_NEAR(cycles_of(Addresses::kLoaded, 4), words / h200().value("partial_l2_store_rate"),
              1e-6);
  EXPECT_NEAR(cycles_of(Addresses::kUnknown, 4), words / h200().value("partial_l2_store_rate"),
              1e-6);
  EXPECT_EQ(cycles_of(Addresses::kComputed, 8), cycles_of(Addresses::kLoaded, 8))
      << "two words a sector";
}

// A request holds the way in as long as a copy takes longer than its stores: few stores cost
// nothing beside many loads.
TEST(L2Cost, loads_leave_l2_while_stores_enter) {
  const auto total = [](std::int64_t loads) {
    Launch launch = uneven_launch();
    Segment load, store;
    load.classes = {{"global_load", loads}};
    load.accesses.push_back(
        {"global_load", loads, 4, 4.0 * static_cast<double>(loads), static_cast<double>(loads), 0});
    store.classes = {{"global_store", 1}};
    store.accesses.push_back({"global_store", 1, 4, 4, 1, 0});
    launch.segments = {load, store};
    launch.warp_kinds.resize(1);
    launch.warp_kinds[0].program = {{1, load.counts(), {}, 0}, {1, store.counts(), {}, 1}};
    launch.counters = {{"l1_load_sectors", 1000},
                       {"l2_read_sectors", 1000},
                       {"l1_store_sectors", 1000},
                       {"l2_write_sectors", 1000}};
    const CostModel model(h200(), launch, 132);
    return model.cost(std::size_t{0}).l2 + model.cost(std::size_t{1}).l2;
  };
  // 264 blocks of one resident each follow one another: short copies.
  EXPECT_NEAR(total(1), 256 * 132 * 1.98e9 / h200().value("l2_copy_bandwidth"), 1e-6);
  EXPECT_NEAR(total(8), 8 * 128 * 132 * 1.98e9 / h200().value("l2_read_bandwidth"), 1e-6);
}

// An SM's own way to L2 is no faster when the other SMs have nothing to do.
TEST(L2Cost, one_sm_alone_has_its_own_rates) {
  const auto l2 = [](const Segment& segment, double busy_sms) {
    return CostModel(h200(), {}, busy_sms).cost(segment).l2;
  };
  Segment store;
  store.classes = {{"global_store", 1}};
  store.accesses.push_back({"global_store", 1, 4, 32, 32, 0, 32});
  const double lines = 32 * 1.98e9;
  store.accesses[0].lanes = 4;  // of 32 words, so that each sector is written in part
  EXPECT_NEAR(l2(store, 1), lines / h200().value("sm_partial_l2_store_rate"), 1e-6);
  EXPECT_NEAR(l2(store, 132), lines * 132 / h200().value("partial_l2_store_rate"), 1e-6);
  EXPECT_NEAR(l2(load_of_lines(32), 1), lines / h200().value("sm_random_l2_sector_rate"), 1e-6);
}

// Where copies are no faster than stores alone and requests cost much, loads cost no more beside
// stores than alone.
TEST(L2Cost, stores_make_no_load_dearer) {
  DeviceProfile device = h200();
  for (const char* fact : {"l2_copy_bandwidth", "l2_copy_8_blocks_bandwidth"})
    device.facts[fact].value /= 4;
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(32);
  launch.segments[1].classes["global_store"] = 1;
  launch.segments[1].accesses.push_back({"global_store", 1, 4, 4, 1, 0});
  launch.counters = {{"l1_load_sectors", 1000},
                     {"l2_read_sectors", 1000},
                     {"l1_store_sectors", 1000},
                     {"l2_write_sectors", 1000}};
  const double beside = CostModel(device, launch, 132).cost(std::size_t{0}).l2;
  launch.segments[1].accesses.clear();
  EXPECT_NEAR(beside, CostModel(device, launch, 132).cost(std::size_t{0}).l2, 1e-9);
}

// Slices look up one line at a time, and what misses once more. Atomics all over L2 take its time
// from others.
TEST(L2Cost, slices_look_lines_up_for_misses_and_for_atomics_besides) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(32);
  const auto loads = std::llround(32 * executions_of(launch)[0]);
  const auto cost = [&](std::int64_t missed) {
    launch.counters = {{"l1_load_sectors", loads},
                       {"l2_read_sectors", loads},
                       {"l2_miss_sectors", missed},
                       {"dram_read_bytes", 64 * missed}};
    return CostModel(h200(), launch, 132).cost(std::size_t{0}).l2;
  };
  const double hits = 32 * 132 * 1.98e9 / h200().value("random_l2_sector_rate");
  launch.start = CacheStart::kCold;
  EXPECT_NEAR(cost(0), hits, 1e-6);
  EXPECT_NEAR(cost(loads), 2 * hits, 1e-6) << "a pair of sectors for each";
  launch.start = CacheStart::kWarm;
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back({"global_reduction", 1, 4, 32, 32, 0, 32});
  launch.segments[1] = add;
  const auto operations = std::llround(32 * executions_of(launch)[1]);
  launch.counters = {{"l1_load_sectors", loads},
                     {"l2_read_sectors", loads},
                     {"atomic_operations", operations},
                     {"atomic_operations_busiest", operations / 90}};
  const CostModel model(h200(), launch, 132);
  const double turns = executions_of(launch)[1] / executions_of(launch)[0];
  EXPECT_NEAR(model.cost(std::size_t{0}).l2, hits + turns * model.cost(std::size_t{1}).atomic,
              1e-6);
  launch.counters["atomic_operations_busiest"] = operations;
  EXPECT_NEAR(CostModel(h200(), launch, 132).cost(std::size_t{0}).l2, hits * (1 + 1.5 * turns),
              1e-6)
      << "in few slices: the others look up for half of them besides";
}

// Loads of local memory wait for their own lines alone, not for those of the block's other warps.
TEST(L2Cost, local_lines_are_a_warps_own) {
  Launch launch = uneven_launch();
  launch.grid = 132;
  launch.block = 512;
  Segment local = load_of_lines(1);
  local.classes = {{"local_load", 1}};
  local.accesses[0].access_class = "local_load";
  launch.segments[0] = local;
  launch.counters = {{"l2_read_sectors", std::llround(executions_of(launch)[0] / 8)}};
  EXPECT_NEAR(CostModel(h200(), launch, 132).l2_share(0), 1.0 / 8, 1e-6);
}

// Whose result is waited for takes longer in L2, where atomics are spread, and longer to come back.
TEST(L2Cost, atomics_with_results_take_longer) {
  Launch launch = uneven_launch();
  const auto cost = [&](const char* cls) {
    Segment add;
    add.classes = {{cls, 1}};
    add.accesses.push_back({cls, 1, 4, 32, 32, 0, 32});
    launch.segments[0] = add;
    const auto operations = static_cast<std::int64_t>(32 * executions_of(launch)[0]);
    launch.counters = {{"atomic_operations", operations},
                       {"atomic_operations_busiest", operations / 90}};
    return CostModel(h200(), launch, 132).cost(std::size_t{0});
  };
  const auto fact = [](const char* name) { return h200().value(name); };
  const SegmentCost dropped = cost("global_reduction");
  launch.counters.clear();
  const SegmentCost used = cost("global_atomic");
  // 32 operations of a warp, shared out over the GPU.
  EXPECT_NEAR(dropped.atomic, fact("global_atomic_dropped_ns") * 1.98 * 132, 1e-6);
  EXPECT_NEAR(used.atomic / dropped.atomic,
              fact("global_atomic_returned_ns") / fact("global_atomic_dropped_ns"), 1e-9);
  EXPECT_EQ(dropped.latency, 0);
  launch.counters.clear();
  launch.segments[0] = load_of_lines(32);
  const double load = CostModel(h200(), launch, 132).cost(std::size_t{0}).latency;
  EXPECT_NEAR(used.latency - load,
              (fact("global_atomic_alone_ns") - fact("global_load_alone_ns")) * 1.98, 1e-6);
}

// What loads lose to spread atomics is what all slices do, however busy one of them is; beyond four
// times its share atomics are in few words, and loads go to other slices.
TEST(L2Cost, loads_lose_to_atomics_what_all_slices_do) {
  Launch launch = uneven_launch();
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back({"global_reduction", 1, 4, 32, 32, 0, 32});
  launch.segments[0] = load_of_lines(4);
  launch.segments[1] = add;
  const auto operations = static_cast<std::int64_t>(32 * executions_of(launch)[1]);
  const auto cost = [&](double times_its_share) {
    launch.counters = {{"atomic_operations", operations},
                       {"atomic_operations_busiest",
                        std::llround(times_its_share * static_cast<double>(operations) / 94)}};
    return CostModel(h200(), launch, 132).cost(std::size_t{0}).l2;
  };
  EXPECT_NEAR(cost(3.9), cost(1), 1e-9);
  EXPECT_LT(cost(4.1), cost(3.9));
}

TEST(L2Cost, accesses_set_out_ahead_from_two_rounds_on) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(1);
  const CostModel model(h200(), launch, 132);
  EXPECT_EQ(accesses_ahead(launch, model, 1.9), 2);
  EXPECT_GT(accesses_ahead(launch, model, 2.0), 2);
}

// Lanes of a warp that meet in a word, in no few words: keys are sorted, and neighbouring warps
// meet in a line.
TEST(L2Cost, operations_on_sorted_keys_are_those_of_the_microbenchmark) {
  Launch launch = uneven_launch();
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back({"global_reduction", 1, 4, 1, 1, 0, 32, true});
  launch.segments[0] = add;
  const auto warps = static_cast<std::int64_t>(executions_of(launch)[0]);
  const auto cost = [&](std::int64_t each, double times_its_share) {
    launch.counters = {{"atomic_operations", each * warps},
                       {"atomic_operations_busiest",
                        std::llround(times_its_share * static_cast<double>(each * warps) / 94)}};
    return CostModel(h200(), launch, 132).cost(std::size_t{0}).atomic / 132 / 1.98;
  };
  const auto fact = [](const char* name) { return h200().value(name); };
  EXPECT_NEAR(cost(32, 1), fact("global_atomic_sorted_float_ns"), 1e-3);
  EXPECT_NEAR(cost(16, 1), fact("global_atomic_sorted_float_ns") / 2, 1e-3);
  EXPECT_NEAR(cost(32, 3.9), 3.9 * 32 / 94 * fact("global_atomic_lane_ns"), 1e-3)
      << "the busiest slice";
  EXPECT_NEAR(cost(32, 8), 8 * 32 / 94. * fact("global_atomic_lane_ns"), 1e-2) << "in a few lines";
  EXPECT_NEAR(cost(32, 90), 90 * 32 / 94. * fact("global_atomic_float_ns"), 1e-2) << "all in one";
  EXPECT_NEAR(cost(1, 1),
              std::max(fact("global_atomic_dropped_ns") / 32, fact("global_atomic_lane_ns") / 94),
              1e-3)
      << "each alone";
}

// Half of the operations pass two slices, since L2 has two partitions.
TEST(L2Cost, operations_in_passing_count_once) {
  Launch launch;
  launch.counters = {{"l2_reduction_sectors", 150'000}, {"l2_reduction_sectors_busiest", 1600}};
  const CountedAtomics spread = counted_atomics(launch, h200());
  EXPECT_NEAR(spread.operations, 100'000, 1e-6);
  EXPECT_NEAR(spread.busiest, 1600 - 50'000 / 94., 1e-6);
  launch.counters["l2_reduction_sectors_busiest"] = 100'000;
  EXPECT_NEAR(counted_atomics(launch, h200()).busiest, 100'000 - 50'000 / 94., 1e-6) << "one slice";
  launch.counters = {
      {"atomic_operations", 70}, {"atomic_operations_busiest", 7}, {"l2_reduction_sectors", 99}};
  EXPECT_EQ(counted_atomics(launch, h200()).operations, 70);
  EXPECT_EQ(counted_atomics(launch, h200()).busiest, 7);
  launch.counters = {{"atomic_operations", 70}, {"l2_reduction_sectors", 70}};
  EXPECT_EQ(counted_atomics(launch, h200()).operations, 70);
  EXPECT_EQ(counted_atomics(launch, h200()).busiest, 0) << "not known";
  launch.counters = {{"l2_reduction_sectors", 150}};
  EXPECT_EQ(counted_atomics(launch, h200()).busiest, 0) << "not known";
  launch.counters.clear();
  EXPECT_EQ(counted_atomics(launch, DeviceProfile()).busiest, 0) << "no device is asked";
}

}  // namespace
}  // namespace pnsim
