// Counters beyond the source page (ports, stores, SMs) and their effect on the costs of segments.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/cost/launch_cost.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/traffic.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

double quick_port(const Launch& launch) {
  return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).quick_port;
}

Segment registers_and_shared(double registers, double off) {
  Segment segment;
  segment.classes = {{"special_register", registers}, {"predicated_off", off}, {"shared_load", 2}};
  segment.accesses.push_back(
      {.access_class = "shared_load", .count = 2, .bytes = 4, .wavefronts = 3});
  return segment;
}

TEST(PortCost, UncountedWavefrontsGoToTheAccessesThatMayCauseThem) {
  Launch launch = one_segment_launch(registers_and_shared(0, 4), 1);
  const double one = h200().value("shared_load_cycles"), seen = 3 * one;
  EXPECT_NEAR(quick_port(launch), seen, 1e-9) << "nothing was counted";
  launch.counters["shared_wavefronts"] = 1056 * (3 + 2);
  EXPECT_NEAR(quick_port(launch), seen + 2 * one, 1e-9) << "of accesses without an active lane";
  launch.counters["shared_wavefronts"] = 1056 * (3 + 4 + 2);
  EXPECT_NEAR(quick_port(launch), seen + (4 + 2) * one, 1e-9)
      << "and of accesses with bank conflicts";
  launch.counters["shared_wavefronts"] = 1056 * 2;  // fewer than the page has
  EXPECT_NEAR(quick_port(launch), seen, 1e-9);
  // An access without wavefronts in the model counts as one wavefront, and only once.
  launch.segments[0].accesses[0].wavefronts = 0;
  EXPECT_NEAR(quick_port(launch), 2 * one, 1e-9);
}

TEST(PortCost, HalfOfTheSpecialRegistersAreInTheCounter) {
  Launch launch = one_segment_launch(registers_and_shared(4, 0), 8);
  const double before = quick_port(launch);
  launch.counters["shared_wavefronts"] = 1056 * (3 + 2);
  EXPECT_NEAR(quick_port(launch), before, 1e-9) << "they take more anyway";
  launch.counters["shared_wavefronts"] = 1056 * (3 + 5);
  EXPECT_NEAR(quick_port(launch), before + 3 * h200().value("shared_load_cycles"), 1e-9);
}

// One warp in four loads: the wavefronts that its lines cannot have are those of special registers.
TEST(PortCost, WavefrontsOfSpecialRegistersAreNotThoseOfLines) {
  Segment registers;
  registers.classes = {{"special_register", 2}};
  Launch launch = one_segment_launch(registers, 8);
  launch.segments.push_back(load_of_lines(4));
  launch.warp_kinds = {{264, {item(0), item(1)}}, {792, {item(0)}}};
  launch.block_kinds = {{264, {{0, 1}}}, {792, {{1, 1}}}};
  const auto port = [&](std::int64_t wavefronts) {
    launch.counters["l1_wavefronts"] = wavefronts;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{1}).port;
  };
  const double lines = port(264 * 4);
  EXPECT_NEAR(port(264 * 6), 1.5 * lines, 1e-9) << "a line may take two";
  EXPECT_NEAR(port(264 * 8 + 1056), 2 * lines, 1e-9) << "one register a warp takes the rest";
  EXPECT_NEAR(port(264 * 12 + 1056), 3 * lines, 1e-9) << "what they leave is of the lines";
}

TEST(PortCost, SpecialRegistersWaitForEachOtherUnlessOthersPassBetween) {
  const double alone = 1 / h200().value("special_register_rate");
  Segment registers;
  registers.classes = {{"special_register", 4}};
  EXPECT_NEAR(quick_port(one_segment_launch(registers, 1)), 4 * alone, 1e-9)
      << "there are no other wavefronts";
  const double shared = 3 * h200().value("shared_load_cycles");
  const Segment beside = registers_and_shared(4, 0);
  EXPECT_NEAR(quick_port(one_segment_launch(beside, 1)), shared + 4 * (alone - 0.75), 1e-9)
      << "3 beside 4";
  EXPECT_NEAR(quick_port(one_segment_launch(beside, 8)), shared + 4 * alone, 1e-9)
      << "all warps begin together: their special registers come first";
  Launch later = one_segment_launch(beside, 8);
  later.segments.push_back(beside);
  later.warp_kinds[0].program = {item(0), item(1)};
  const CostedLaunch model(h200(), later, 132);
  EXPECT_NEAR(model.cost(std::size_t{0}).quick_port, shared + 4 * alone, 1e-9);
  EXPECT_NEAR(model.cost(std::size_t{1}).quick_port, shared + 4 * (alone - 0.75), 1e-9)
      << "after the first access warps are out of step";
  later.segments = {registers, beside};
  later.warp_kinds[0].program = {item(0), loop(5, {item(1)})};
  EXPECT_EQ(opening_segments(later), (std::vector<bool>{true, false}))
      << "in a loop warps get out of step";
  later.warp_kinds[0].program = {item(0), item(1)};
  EXPECT_EQ(opening_segments(later), (std::vector<bool>{true, true}));
  Launch counted = one_segment_launch(beside, 1);
  counted.counters["l1_wavefronts"] = 1056 * 100;
  EXPECT_NEAR(quick_port(counted), shared + 4, 1e-9) << "never less than a wavefront";
}

// Groups of 4 and of 16 copies were measured, each with one end and 128 shared loads.
TEST(PortCost, CopiesAndTheEndsOfTheirGroupsTakeWhatWasMeasured) {
  DeviceProfile device = h200();
  const double loads = 128 * device.value("shared_load_cycles");
  double ends = 0;
  for (const std::int64_t bytes : {4, 8, 16}) {
    const std::string fact = "async_copy_" + std::to_string(bytes) + "_bytes_group_";
    const double few = device.value(fact + "4_cycles"), many = device.value(fact + "16_cycles");
    Segment copies;
    copies.classes = {{"async_copy", 16}};
    copies.accesses.push_back({.access_class = "async_copy",
                               .count = 16,
                               .bytes = bytes,
                               .sectors = 64,
                               .tag_lookups = 16});
    const double all =
        CostedLaunch(device, one_segment_launch(copies, 1), 132).cost(std::size_t{0}).port;
    EXPECT_NEAR(all, 16 * (many - few) / 12, 1e-9) << bytes;
    ends += many - loads - all;
  }
  Segment end;
  end.classes = {{"copy_commit", 1}};
  EXPECT_NEAR(quick_port(one_segment_launch(end, 1)), ends / 3, 1e-9);
  device.facts.erase("async_copy_4_bytes_group_4_cycles");
  EXPECT_EQ(CostedLaunch(device, one_segment_launch(end, 1), 132).cost(std::size_t{0}).quick_port,
            0)
      << "a profile from before it was measured";
}

// Copies of 4 bytes always pass L1, copies of 16 bytes only if they do not bypass it. What they
// write into shared memory is in the counter of its wavefronts, before bank conflicts of other
// accesses.
TEST(PortCost, CopiesTakeTheWavefrontsThatTheyWrite) {
  const DeviceProfile device = h200();
  const auto costs = [&](std::int64_t bytes, bool through_l1, double counted, double columns = 0) {
    Segment copies;
    copies.classes = {{"async_copy", 2}, {"shared_load", 2}};
    copies.accesses.push_back({.access_class = "async_copy",
                               .count = 2,
                               .bytes = bytes,
                               .sectors = 8,
                               .tag_lookups = 2,
                               .wavefronts = 10,
                               .through_l1 = through_l1});
    copies.accesses.push_back(
        {.access_class = "shared_load", .count = 2, .bytes = 4, .wavefronts = 3});
    if (columns > 0) copies.tensor_products["wgmma_columns"] = columns;
    Launch launch = one_segment_launch(copies, 1);
    launch.counters["shared_wavefronts"] = std::llround(1056 * (3 + counted));
    return CostedLaunch(device, launch, 132).cost(std::size_t{0});
  };
  const double one = device.value("shared_load_cycles");
  const double bypassing = costs(16, false, 0).port, measured = costs(4, true, 0).port;
  EXPECT_NEAR(costs(16, false, 1).port, bypassing, 1e-9);
  EXPECT_NEAR(costs(16, false, 10).port, 10 * one, 1e-9) << "they collide";
  EXPECT_NEAR(costs(16, false, 10).quick_port, 3 * one, 1e-9);
  EXPECT_NEAR(costs(16, false, 14).quick_port, 7 * one, 1e-9) << "more than the copies write";
  EXPECT_NEAR(costs(16, false, 10, 64).port, bypassing, 1e-9)
      << "the wavefronts may be those of products, which read shared memory";
  EXPECT_NEAR(costs(16, true, 10).port, 2 + 10 * one, 1e-9);
  EXPECT_NEAR(costs(16, true, 10).quick_port, 3 * one, 1e-9);
  EXPECT_NEAR(costs(16, true, 14).quick_port, 7 * one, 1e-9) << "more than the copies write";
  EXPECT_NEAR(costs(4, true, 10).port, measured + 10 * one - 2, 1e-9) << "one each was measured";
  EXPECT_NEAR(costs(4, true, 1).port, measured, 1e-9);
}

TEST(PortCost, TheLastWordOfAWideSharedLoadComesLater) {
  const auto latency = [](std::int64_t bytes, const DeviceProfile& device) {
    Segment load;
    load.classes = {{"shared_load", 1}};
    load.accesses.push_back({.access_class = "shared_load",
                             .count = 1,
                             .bytes = bytes,
                             .wavefronts = static_cast<double>(bytes) / 4});
    return CostedLaunch(device, one_segment_launch(load, 1), 132)
        .cost(std::size_t{0})
        .quick_latency;
  };
  DeviceProfile device = h200();
  const double one = device.value("shared_latency_cycles");
  EXPECT_NEAR(latency(4, device), one, 0.01);
  EXPECT_NEAR(latency(16, device), device.value("shared_load_16_bytes_latency_cycles"), 0.05);
  device.facts.erase("shared_load_16_bytes_latency_cycles");
  EXPECT_NEAR(latency(16, device), one + 3 * device.value("shared_load_cycles"), 0.05);
}

TEST(PortCost, TheSlowestSmEndsALaunchOfOneRound) {
  Segment load;
  load.classes = {{"global_load", 1}};
  load.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  const double farther =
      h200().value("l2_slowest_sm_latency_cycles") - h200().value("l2_mean_sm_latency_cycles");
  ASSERT_GT(farther, 1);
  const auto latency = [&](std::int64_t grid, std::int64_t resident) {
    Launch launch = one_segment_launch(load, resident);
    launch.grid = launch.warp_kinds[0].warps = grid;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency;
  };
  const double follow = latency(1056, 1);
  EXPECT_NEAR(latency(1056, 8) - follow, farther * 131 / 132, 1e-6);
  EXPECT_NEAR(latency(2, 8) - follow, farther / 2, 1e-6) << "the slower of two";
  EXPECT_NEAR(latency(1, 8), follow, 1e-6) << "a single SM has the mean distance";
}

TEST(PortCost, SectorsThatL2MergedBeforeEvictionAreWhole) {
  Segment store;
  store.classes = {{"global_store", 1}};
  store.accesses.push_back({.access_class = "global_store",
                            .count = 1,
                            .bytes = 4,
                            .sectors = 32,
                            .tag_lookups = 32});   // a word of each sector
  constexpr std::int64_t kWarps = 1056 * 100'000;  // far more than L2 keeps
  Launch launch = one_segment_launch(store, 1);
  launch.grid = launch.warp_kinds[0].warps = kWarps;
  launch.counters = {{"l1_store_sectors", 32 * kWarps}, {"l2_write_sectors", 32 * kWarps}};
  const auto in_parts = [&](double words, double of_others = 0) {
    launch.counters["dram_write_bytes"] =
        std::llround(static_cast<double>(kWarps) * 32 * 4 * words + of_others);
    return traffic_of(launch, h200()).dram.partial_evictions;
  };
  EXPECT_NEAR(in_parts(8), 1, 1e-3) << "a word of eight, as in the microbenchmark";
  EXPECT_NEAR(in_parts(1, h200().value("l2_copy_keeps_bytes")), 0, 1e-9)
      << "other launches stored what is written back";
  EXPECT_NEAR(in_parts(1), 0, 1e-9) << "as much is written as was stored";
  EXPECT_NEAR(in_parts(0.5), 0, 1e-9);
  EXPECT_GT(in_parts(2), 0.5);
  launch.segments[0].accesses[0].bytes = 8;  // a double has a quarter of its sector
  EXPECT_NEAR(in_parts(8), 1, 1e-3);
  EXPECT_NEAR(in_parts(4), (1 - 2.0 / 4) / (1 - 8.0 / 32), 1e-2)
      << "half of what is written was stored";
  launch.segments[0].accesses[0] = {.access_class = "global_store",
                                    .count = 1,
                                    .bytes = 4,
                                    .sectors = 5,
                                    .tag_lookups = 2};  // rows that end within sectors
  launch.counters["l1_store_sectors"] = launch.counters["l2_write_sectors"] = 5 * kWarps;
  EXPECT_NEAR(in_parts(5.0 / 4), 2.0 / 5, 1e-2)
      << "all five sectors are written; two of them are half full";
  launch.counters["l1_store_sectors"] = launch.counters["l2_write_sectors"] = 32 * kWarps;
  launch.segments[0].accesses[0] = {
      .access_class = "global_store", .count = 1, .bytes = 4, .sectors = 32, .tag_lookups = 32};
  launch.segments[0].accesses[0].access_class = "global_reduction";
  EXPECT_NEAR(in_parts(1), 1, 1e-2) << "reductions store nothing that L2 could merge";
  launch.segments[0].accesses[0].access_class = "global_store";
  launch.counters.erase("dram_write_bytes");
  EXPECT_EQ(traffic_of(launch, h200()).dram.partial_evictions, 1) << "no counts";
}

// Huge facts of a device must not overflow to small cycle counts.
TEST(PortCost, CyclesBeyondAllNumbersStayLarge) {
  Segment segment;
  segment.classes = {{"int", 1}};
  const Launch launch = one_segment_launch(segment, 1);
  DeviceProfile slow = h200();
  for (const char* fact : {"block_dispatch_ns", "block_turnover_ns", "barrier_1_warp_cycles"})
    slow.facts[fact].value = 1e18;
  const DeviceFacts facts = read_device_facts(slow);
  const Residency residency = CostedLaunch(slow, launch, 132).stages().residency;
  for (const std::int64_t cycles :
       {dispatch_cycles(residency, facts), turnover_cycles({}, facts), barrier_cycles(facts)}) {
    EXPECT_GE(cycles, std::int64_t{1} << 59);
  }
}

TEST(PortCost, SumsOnWholeSectorsTakeAQuarterOfALines) {
  Segment sum;
  sum.classes = {{"global_reduction", 1}};
  sum.accesses.push_back(
      {.access_class = "global_reduction", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  Launch launch = one_segment_launch(sum, 1);
  launch.counters["l2_reduction_sectors_busiest"] = 4 * 1056;
  const auto ns = [&] {
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic / 4 / 132 / 1.98;
  };
  EXPECT_NEAR(ns(), h200().value("global_atomic_line_ns") / 4, 1e-6);
  launch.segments[0].accesses[0].is_float = true;
  EXPECT_NEAR(ns(), h200().value("global_atomic_float_ns"), 1e-6)
      << "no counts: they may be in one word";
  launch.counters["atomic_operations"] = launch.counters["atomic_operations_busiest"] = 4 * 1056;
  EXPECT_NEAR(ns(), h200().value("global_atomic_line_ns") / 4, 1e-6)
      << "one operation of a sector: floats take no longer";
  launch.counters["atomic_operations"] = launch.counters["atomic_operations_busiest"] = 8 * 1056;
  EXPECT_NEAR(ns(), 2 * h200().value("global_atomic_float_ns"), 1e-6) << "two: lanes share words";
  for (const char* counter : {"atomic_operations", "atomic_operations_busiest"})
    launch.counters.erase(counter);
  launch.segments[0].accesses[0].lanes = 16;
  EXPECT_NEAR(ns(), h200().value("global_atomic_float_ns"), 1e-6)
      << "all in one slice: assumed to be one word";
  constexpr std::int64_t kOperations = 32 * 1056;
  launch.counters["atomic_operations"] = kOperations;
  for (const std::int64_t more : {-1, 1}) {  // than half of them
    launch.counters["atomic_operations_busiest"] = kOperations / 2 + more;
    launch.segments[0].accesses[0].is_float = false;
    const double integers = ns();
    launch.segments[0].accesses[0].is_float = true;
    const double longer =
        more < 0 ? 1
                 : h200().value("global_atomic_float_ns") / h200().value("global_atomic_lane_ns");
    EXPECT_NEAR(ns() / integers, longer, 1e-9) << more;
  }
  for (const char* counter : {"atomic_operations", "atomic_operations_busiest"})
    launch.counters.erase(counter);
  launch.segments[0].accesses[0].is_float = false;
  EXPECT_NEAR(ns(), h200().value("global_atomic_lane_ns"), 1e-6);
}

// Reductions on words that are not in L2: each sector is read from DRAM and written back, as a
// single sector or in a whole line.
TEST(PortCost, ReductionsThatMissL2TakeTheTimeOfDram) {
  Segment sum;
  sum.classes = {{"global_reduction", 1}};
  sum.accesses.push_back({.access_class = "global_reduction",
                          .count = 1,
                          .bytes = 4,
                          .sectors = 32,
                          .tag_lookups = 32});
  Launch launch = one_segment_launch(sum, 8);
  launch.grid *= 100'000;  // far more than L2 keeps
  launch.warp_kinds[0].warps = launch.block_kinds[0].blocks = launch.grid;
  const std::int64_t operations = 32 * launch.grid;
  launch.counters = {{"atomic_operations", operations},
                     {"atomic_operations_busiest", operations / 90},
                     {"dram_read_bytes", 32 * operations},
                     {"l2_read_sectors", 0}};
  const auto ns = [&] {
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic / 132 / 1.98;
  };
  const double in_l2 = 32. / 90 * h200().value("global_atomic_lane_ns");  // of the busiest slice
  EXPECT_NEAR(ns(), in_l2, 1e-6) << "no misses were counted";
  launch.counters["l2_miss_sectors"] = operations;
  EXPECT_NEAR(ns(), h200().value("global_atomic_dram_ns"), 1e-6);
  launch.counters["l2_miss_sectors"] = operations / 2;
  EXPECT_NEAR(ns(), h200().value("global_atomic_dram_ns") / 2, 1e-6);
  // Gathers can cause more misses than reads, since each fetches a pair of sectors. Then the
  // atomics may all hit.
  launch.counters["l2_miss_sectors"] = operations;
  launch.counters["l2_read_sectors"] = operations / 2;
  EXPECT_NEAR(ns(), in_l2, 1e-6);
  launch.counters["l2_read_sectors"] = 0;
  launch.segments[0].accesses[0].tag_lookups = 8;  // whole lines
  EXPECT_NEAR(ns(), 32 * 64e9 / h200().value("dram_copy_bandwidth"), 1e-6);
}

}  // namespace
}  // namespace pnsim
