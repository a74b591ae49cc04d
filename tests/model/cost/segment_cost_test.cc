// What segments cost on a device.

#include <gtest/gtest.h>

#include <cmath>

#include "simulator/model/cost/issue_pipes.h"
#include "simulator/model/cost/launch_cost.h"
#include "simulator/model/cost/queues.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/sass/constant_use.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

TEST(SegmentCost, ArithmeticTakesIssueSlotsPipesAndDependences) {
  const CostedLaunch model(h200(), {}, 132);
  EXPECT_NEAR(model.cost(arithmetic(10, 0)).issue, 10, 0.5);
  EXPECT_NEAR(model.cost(arithmetic(0, 10)).issue, 20, 0.5) << "half rate";
  Segment chain = arithmetic(10, 0);
  chain.distances = {9, 0, 0};
  EXPECT_NEAR(model.cost(chain).work, 10 + 9 * 3, 1);
  EXPECT_NEAR(model.cost(chain).issue, 10, 0.5) << "other warps may issue in the stalls";
}

TEST(SegmentCost, ResultsTakeLongerToAnotherPipeAndInDoublePrecision) {
  const CostedLaunch model(h200(), {}, 132);
  Segment same = arithmetic(10, 0), across = same, doubled = same;
  same.distances = {5, 0, 0};
  across.distances_across = {5, 0, 0, 0};
  doubled.distances_double = {5, 0, 0, 0, 0, 0, 0};
  EXPECT_NEAR(model.cost(across).work - model.cost(same).work, 5, 0.5);
  EXPECT_NEAR(model.cost(doubled).work - model.cost(same).work, 5 * 4, 0.5);
}

TEST(SegmentCost, BranchesAndMeetingsOfLanesTakeTime) {
  const CostedLaunch model(h200(), {}, 132);
  Segment plain = arithmetic(10, 0), branches = plain, meets = plain;
  branches.branches = 2;
  meets.reconvergences = 1;
  EXPECT_NEAR(model.cost(branches).work - model.cost(plain).work, 2 * branch_cycles(h200_facts()),
              1e-9);
  EXPECT_NEAR(model.cost(meets).work - model.cost(plain).work, reconvergence_cycles(h200_facts()),
              1e-9);
  EXPECT_EQ(model.cost(meets).issue, model.cost(plain).issue);
  EXPECT_NEAR(branch_cycles(h200_facts()), 11, 2);
  EXPECT_NEAR(reconvergence_cycles(h200_facts()), 10, 3);
}

TEST(SegmentCost, SpecialFunctionsAndConstantsHaveUnitsOfTheirOwn) {
  Segment special, constant;
  special.classes = {{"special", 3}, {"fp32", 5}};
  constant.classes = {{"constant_load", 2}};
  const CostedLaunch model(h200(), {}, 132);
  EXPECT_NEAR(model.cost(special).slow, 3 * 8, 0.1);
  EXPECT_NEAR(model.cost(special).issue, 8, 0.1);
  EXPECT_EQ(model.cost(special).addresses, 0);
  EXPECT_EQ(model.cost(constant).slow, 0);
  EXPECT_NEAR(model.cost(constant).addresses, 2 * 2, 0.1) << "the SM's, not a scheduler's";
  // The last of 101 starts when the unit has accepted the other 100.
  special.classes["special"] = 101;
  EXPECT_NEAR(model.cost(special).quick_latency, 100 * 8 + h200().value("special_latency_cycles"),
              1);
}

// The profiler counts one sector for each operation on a word. The busiest slice serves its
// operations one after the other.
TEST(SegmentCost, AtomicsTakeTheBusiestSlicesTime) {
  Launch launch = uneven_launch();
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back(
      {.access_class = "global_reduction", .count = 1, .bytes = 4, .sectors = 1, .tag_lookups = 1});
  launch.segments[0] = add;
  const auto cycles_of = [&](std::int64_t busiest) {
    launch.counters["l2_reduction_sectors_busiest"] = busiest;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic;
  };
  const auto executions = static_cast<std::int64_t>(executions_of(launch)[0]);
  EXPECT_NEAR(cycles_of(8 * executions) / cycles_of(executions), 8, 1e-9);
  EXPECT_NEAR(cycles_of(executions), h200().value("global_atomic_lane_ns") * 1.98 * 132, 1e-6);
}

TEST(SegmentCost, FewerActiveSmsHaveMoreOfTheBandwidthEach) {
  Segment load;
  load.classes = {{"global_load", 1}};
  load.accesses.push_back(
      {.access_class = "global_load", .count = 1, .bytes = 4, .sectors = 4, .tag_lookups = 1});
  const double all = CostedLaunch(h200(), {}, 132).cost(load).memory;
  EXPECT_GT(all, CostedLaunch(h200(), {}, 66).cost(load).memory);
  EXPECT_GE(CostedLaunch(h200(), {}, 1).cost(load).memory, 4 * 0.5)
      << "the limit of the link of one SM";
  EXPECT_GT(CostedLaunch(h200(), {}, 132).cost(load).latency, 200);
}

// The latency of 4 and of 32 lines is the measured one. In between it must not decrease.
TEST(SegmentCost, LoadsOfManyLinesTakeLonger) {
  const CostedLaunch model(h200(), {}, 132);
  const auto latency = [&](double lines) { return model.cost(load_of_lines(lines)).latency; };
  const auto fact = [](const char* name) { return h200().value(name); };
  EXPECT_NEAR(latency(4) - latency(1),
              fact("l2_4_lines_latency_cycles") - fact("l2_1_line_latency_cycles"), 0.1);
  EXPECT_NEAR(latency(32) - latency(1),
              fact("l2_32_lines_latency_cycles") - fact("l2_1_line_latency_cycles"), 0.1);
  for (double lines = 1; lines < 32; ++lines)
    EXPECT_LE(latency(lines), latency(lines + 1)) << lines;
}

// Queueing rises with the utilisation, as in the iterations of the bandwidth microbenchmark.
TEST(SegmentCost, QueuesGrowWithUseAndStayAsAtTheLastPoint) {
  const QueueCurves curves = queue_curves(h200_facts());
  const auto cycles = [&](double mix, double use) { return queue_cycles(curves.dram, mix, use); };
  EXPECT_EQ(cycles(0, 0), 0);
  double before = 0;
  for (const double use : {0.2, 0.4, 0.6, 0.8}) {
    EXPECT_GT(cycles(0, use), before);
    before = cycles(0, use);
  }
  EXPECT_EQ(cycles(0, 0.99), cycles(0, 1));
  EXPECT_GT(cycles(1, 0.8), 2 * cycles(0, 0.8)) << "reads and writes alternate";
}

// Measured: an iteration of four instructions takes 78.8 cycles with 16 warps per scheduler. The
// branch takes nearly two slots.
TEST(SegmentCost, TakenBranchesTakeMoreThanASlot) {
  Launch launch = uneven_launch();
  Segment& segment = launch.segments[0];
  segment = Segment{};
  segment.classes = {{"fp32", 3}, {"control", 1}};
  const double straight = CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).issue;
  segment.branches = 1;
  const double turn = CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).issue;
  EXPECT_NEAR(turn - straight, h200().value("loop_turn_64_warps_cycles") / 16 - 4, 1e-9);
  segment.branches = 0;
  launch.warp_kinds = {{4, {{10, segment.counts(), {}, 0}}}};
  launch.block_kinds.clear();
  EXPECT_NEAR(CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).issue, turn, 1e-9)
      << "a loop has a branch to its head";
}

// Measured: 7 logic operations and a wide product take 20.2 cycles, the logic alone takes 14.
TEST(SegmentCost, AWideProductHoldsUpTheOtherPipes) {
  Segment segment;
  segment.classes = {{"int", 7}};
  const CostedLaunch model(h200(), {}, 132);
  const double logic = model.cost(segment).issue;
  segment.classes["imad_wide"] = 1;
  EXPECT_GT(model.cost(segment).issue, logic + 2);
}

// Scattered sectors cost DRAM bandwidth for the other sectors of their pairs, if nothing uses them.
TEST(SegmentCost, ScatteredSectorsThatNeighboursCompleteComeAsAStream) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(32);
  launch.segments[0].accesses[0].tag_lookups = 16;  // two sectors each
  const auto dram = [&](double fetched) {
    launch.counters = {{"l1_load_sectors", 100'000'000},
                       {"l2_read_sectors", 100'000'000},
                       {"dram_read_bytes", std::llround(3.2e9 * fetched)}};
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).dram;
  };
  EXPECT_NEAR(dram(1), 32 * 32 * 132 * 1.98e9 / h200().value("dram_read_bandwidth"), 1e-6);
  // With 2 fetched sectors per requested one all requests miss. With 1.6, four in five miss.
  EXPECT_NEAR(dram(2), 32 * 64 * 132 * 1.98e9 / h200().value("dram_read_bandwidth"), 1e-6);
  EXPECT_NEAR(dram(1.6), 0.8 * dram(2), 1e-6);
  EXPECT_LT(dram(1.2), dram(1.6));
}

// Each miss fetches a pair of sectors, so a later request for the other sector hits.
TEST(SegmentCost, SingleSectorsOfDramComeInPairs) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(32);
  const auto dram = [&](double fetched) {
    launch.counters = {{"l1_load_sectors", 100'000'000},
                       {"l2_read_sectors", 100'000'000},
                       {"dram_read_bytes", std::llround(3.2e9 * fetched)}};
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).dram;
  };
  EXPECT_NEAR(dram(2), 32 * 132 * 1.98e9 / h200().value("random_dram_sector_rate"), 1e-6);
  for (const double fetched : {0.5, 1.0, 1.24})
    EXPECT_NEAR(dram(fetched), fetched / 2 * dram(2), 1e-6) << fetched;
}

TEST(SegmentCost, SumsOfFloatsInOneWordWaitForEachOther) {
  Launch launch = uneven_launch();
  Segment add;
  add.classes = {{"global_reduction", 1}};
  add.accesses.push_back({.access_class = "global_reduction",
                          .count = 1,
                          .bytes = 4,
                          .sectors = 1,
                          .tag_lookups = 1,
                          .is_float = true});
  launch.segments[0] = add;
  const auto executions = static_cast<std::int64_t>(executions_of(launch)[0]);
  const auto ns = [&](std::int64_t busiest) {
    launch.counters["l2_reduction_sectors_busiest"] = busiest;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic *
           static_cast<double>(executions) / static_cast<double>(busiest) / 132 / 1.98;
  };
  EXPECT_NEAR(ns(executions), h200().value("global_atomic_float_ns"), 1e-6) << "all in one slice";
  launch.counters.clear();
  const auto unknown = [&](bool is_float) {
    launch.segments[0].accesses[0].is_float = is_float;
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).atomic;
  };
  EXPECT_NEAR(unknown(true) / unknown(false),
              h200().value("global_atomic_float_ns") / h200().value("global_atomic_lane_ns"), 1e-9)
      << "no counts: assumed to be one word";
}

// A segment waits for the slowest of its lines, no matter which of its loads request them.
TEST(SegmentCost, LoadsTakeLongerTheMoreLinesASegmentRequests) {
  const CostedLaunch model(h200(), {}, 132);
  const auto latency = [&](double loads, double lines_each) {
    Segment segment;
    segment.classes = {{"global_load", loads}};
    segment.accesses.push_back({.access_class = "global_load",
                                .count = loads,
                                .bytes = 4,
                                .sectors = 4 * lines_each * loads,
                                .tag_lookups = lines_each * loads});
    return model.cost(segment).latency;
  };
  const double four =
      h200().value("l2_4_lines_latency_cycles") - h200().value("l2_1_line_latency_cycles");
  EXPECT_NEAR(latency(1, 4) - latency(1, 1), four, 4) << "apart from the port";
  EXPECT_NEAR(latency(4, 1) - latency(1, 1), four, 4);
  EXPECT_NEAR(latency(2, 1) - latency(1, 1), four / 2, 4)
      << "half of the increase for half of the doublings";
}

TEST(SegmentCost, LinesOfDramTakeLongerThanThoseOfL2) {
  Launch launch = uneven_launch();
  const auto latency = [&](double lines, bool from_dram) {
    launch.segments[0] = load_of_lines(lines);
    launch.counters = {{"l1_load_sectors", 1'000'000'000},
                       {"l2_read_sectors", 1'000'000'000},
                       {"dram_read_bytes", from_dram ? 64'000'000'000 : 0}};
    return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency;
  };
  const double more =
      h200().value("dram_32_lines_latency_cycles") - h200().value("dram_1_line_latency_cycles");
  EXPECT_NEAR(latency(32, true) - latency(1, true), more, 1);
  EXPECT_LT(latency(32, false) - latency(1, false), more / 2);
}

// One load of a segment, of data in DRAM.
double latency_of_row(const SegmentAccess& access) {
  Launch launch = uneven_launch();
  launch.segments[0] = load_of_lines(1);
  launch.segments[0].classes["global_load"] = access.count;
  launch.segments[0].accesses[0] = access;
  launch.counters = {{"l1_load_sectors", 1'000'000'000},
                     {"l2_read_sectors", 1'000'000'000},
                     {"dram_read_bytes", 32'000'000'000}};
  return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency;
}

// Four loads of the words of a structure request four lines between them, as one load of 16 bytes a
// lane does. At loaded addresses the structures lie apart.
TEST(SegmentCost, LoadsOfTheWordsOfAStructureRequestItsLinesOnce) {
  const SegmentAccess one_load{
      .access_class = "global_load", .count = 1, .bytes = 16, .sectors = 16, .tag_lookups = 4};
  SegmentAccess structure{.access_class = "global_load",
                          .count = 4,
                          .bytes = 4,
                          .sectors = 64,
                          .tag_lookups = 16,
                          .new_sector_share = 0.25};
  const double looked_up = 4 * 4 * h200().value("l1_load_cycles");
  EXPECT_NEAR(latency_of_row(structure), latency_of_row(one_load), looked_up);
  const double in_rows = latency_of_row(structure);
  structure.addresses = Addresses::kLoaded;
  EXPECT_GT(latency_of_row(structure), in_rows + 50);
  structure.new_sector_share = 1;
  EXPECT_GT(latency_of_row(structure), in_rows + 50) << "sixteen lines";
}

// Where all warps of a block load the same rows, the warp that misses requests all of their lines.
TEST(SegmentCost, RowsThatAllWarpsLoadHaveAllTheirLines) {
  SegmentAccess rows{
      .access_class = "global_load", .count = 10, .bytes = 4, .sectors = 40, .tag_lookups = 10};
  const double alone = latency_of_row(rows);
  rows.new_sector_share = 1 / static_cast<double>(uneven_launch().warps_per_block());
  EXPECT_NEAR(latency_of_row(rows), alone, 1e-9);
}

// With several waves a slot is empty between two blocks, and the last wave may have fewer blocks.
TEST(SegmentCost, LoadsAreShorterWhereSlotsAreEmptyAtTimes) {
  Launch launch = uneven_launch();
  launch.grid = 8 * 132;
  launch.segments[0] = load_of_lines(4);
  launch.counters = {
      {"dram_read_bytes", 1 << 30}, {"l1_load_sectors", 1 << 25}, {"l2_read_sectors", 1 << 25}};
  const auto queue = [&](std::int64_t grid, std::int64_t slots, double busy_sms, bool several) {
    launch.grid = grid;
    const SmStages stages = CostedLaunch(h200(), launch, busy_sms).stages();
    Residency residency = stages.residency;
    residency.slots = slots;
    residency.several_waves = several;
    return queueing(launch, stages.load, residency, stages.traffic, stages.facts, {}).dram;
  };
  EXPECT_LT(queue(8 * 132, 8, 132, true), queue(8 * 132, 8, 132, false));
  EXPECT_LT(queue(9 * 132, 8, 132, true), queue(16 * 132, 8, 132, true))
      << "a round with one block an SM";
  EXPECT_LE(queue(133, 2, 1, false), queue(2 * 132, 2, 1, false)) << "one heavy block";
}

TEST(SegmentCost, BarriersCostWhatWasMeasured) {
  const CostedLaunch model(h200(), {}, 132);
  EXPECT_EQ(barrier_cycles(h200_facts()), std::llround(h200().value("barrier_1_warp_cycles")))
      << "the net simulates the arrivals of more warps";
}

// Accesses among additions, as in the microbenchmark: an access takes its own issue slot and the
// measured additional slots.
TEST(SegmentCost, AccessesTakeIssueSlotsBeyondTheirOwn) {
  const auto issue = [](const char* cls, const char* access_class) {
    Segment segment;
    segment.classes = {{"fp32", 64}, {cls, 8}};
    if (access_class != nullptr)
      segment.accesses.push_back({.access_class = access_class,
                                  .count = 8,
                                  .bytes = 4,
                                  .sectors = 8,
                                  .tag_lookups = 8,
                                  .wavefronts = 8});
    return CostedLaunch(h200(), {}, 1).cost(segment).issue;
  };
  const auto slots = [](const char* fact) { return 64 + 8 * h200().value(fact); };
  EXPECT_NEAR(issue("global_load", "global_load"), slots("global_load_issue_cycles"), 1e-9);
  EXPECT_NEAR(issue("global_store", "global_store"), slots("global_store_issue_cycles"), 1e-9);
  EXPECT_NEAR(issue("shared_load", "shared_load"), slots("shared_load_issue_cycles"), 1e-9);
  EXPECT_NEAR(issue("shared_store", "shared_store"), slots("shared_store_issue_cycles"), 1e-9);
  EXPECT_NEAR(issue("global_reduction", "global_reduction"), slots("global_store_issue_cycles"),
              1e-9);
  EXPECT_NEAR(issue("shuffle", nullptr), slots("shuffle_issue_cycles"), 1e-9);
}

// A load and the product that computes its address, beside multiply-adds as in the microbenchmark.
TEST(SegmentCost, LoadsAndTheProductsOfTheirAddressesTakeLessThanApart) {
  const auto issue = [](double products, double loads) {
    Segment segment;
    segment.classes = {{"fp32", 64}, {"imad_wide", products}, {"global_load", loads}};
    if (loads > 0)
      segment.accesses.push_back({.access_class = "global_load",
                                  .count = loads,
                                  .bytes = 4,
                                  .sectors = 8,
                                  .tag_lookups = 8,
                                  .wavefronts = 8});
    return CostedLaunch(h200(), {}, 1).cost(segment).issue;
  };
  const double pair = h200().value("product_and_load_issue_cycles");
  EXPECT_NEAR(issue(8, 8), 64 + 8 * pair, 1e-9);
  EXPECT_NEAR(issue(8, 12) - issue(8, 8), 4 * h200().value("global_load_issue_cycles"), 1e-9)
      << "a load alone";
  EXPECT_NEAR(issue(12, 8) - issue(8, 8), issue(4, 0) - 64, 1e-9) << "a product alone";
  EXPECT_LT(pair, issue(1, 0) - 64 + h200().value("global_load_issue_cycles"));
}

}  // namespace
}  // namespace pnsim
