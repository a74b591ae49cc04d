// Sums are dealt to blocks and warps so that the busiest scheduler executes what was counted, and
// called code to the warps that call it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/imbalance.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using test::blocks_text;

Launch dealt(const std::vector<test::Line>& lines, std::int64_t grid, std::int64_t block,
             std::map<std::string, std::int64_t> counters) {
  const SourceTable table = test::table_of(lines);
  Launch launch = test::with_all_accesses(test::shape(grid, block), table);
  launch.counters = std::move(counters);
  return infer_programs(launch, table);
}

// Half of the warps of two blocks loop: 4 warps of each block, or all of one block. The counters of
// 4 SMs tell which.
TEST(CountedDealing, CodeIsOfWholeBlocksWhereThatExplainsTheBusiestScheduler) {
  const std::vector<test::Line> lines = {{"@P0 EXIT", 16, 8 * 32},
                                         {"MOV R1, RZ", 8},
                                         {"FADD R2, R2, R3", 800},
                                         {"@P1 BRA 0x20", 800, (800 - 8) * 32},
                                         {"EXIT", 8}};
  const std::int64_t all = 16 + 8 + 800 + 800 + 8, of_warp = 1 + 1 + 100 + 100 + 1;
  const auto blocks = [&](std::int64_t busiest) {
    return blocks_text(dealt(
        lines, 2, 256, {{kProfiledSms, 4}, {kAllSchedulers, all}, {kBusiestScheduler, busiest}}));
  };
  EXPECT_EQ(blocks(of_warp + 1), "2: 4*0,4*1");
  EXPECT_EQ(blocks(2 * of_warp), "8*0 | 8*1");
}

// 12 of the warps of five blocks go on: those of three blocks, since they are no equal part of each
// block. In each of these blocks one warp takes the rarer side.
TEST(CountedDealing, WarpsHaveTheirRolesInTheBlocksThatGoOn) {
  const Launch k = dealt({{"@P0 EXIT", 20, 8 * 32},
                          {"@P1 BRA 0x40", 12, 9 * 32},
                          {"MUFU.RCP R2, R3", 3},
                          {"EXIT", 3},
                          {"FADD R2, R3, R4", 9},
                          {"EXIT", 9}},
                         5, 128, {});
  EXPECT_EQ(blocks_text(k), "3: 3*0,1*1 | 2: 4*2");
}

// 40 of 400 warps go on: those of ten blocks. 20 of them take the next branch: two of each of these
// blocks, although they would fill five.
TEST(CountedDealing, WarpsBehindABranchOfBlocksAreSharedAmongTheseBlocks) {
  const Launch k = dealt({{"@P0 EXIT", 400, 360 * 32},
                          {"@P1 EXIT", 40, 20 * 32},
                          {"MUFU.RCP R2, R3", 20},
                          {"EXIT", 20}},
                         100, 128, {});
  EXPECT_EQ(blocks_text(k), "10: 2*0,2*1 | 90: 4*2");
}

// There are six blocks of two warps. Five go on at the first branch, three at the second one. In
// each of the three, one warp takes the rarer side, and both execute the code behind it.
TEST(CountedDealing, AllWarpsOfTheBlocksThatGoOnMeetAgain) {
  const Launch k = dealt({{"@P0 EXIT", 12, 2 * 32},
                          {"@P1 EXIT", 10, 4 * 32},
                          {"@P2 BRA 0x40", 6, 3 * 32},
                          {"MUFU.RCP R2, R3", 3},
                          {"FADD R2, R3, R4", 6},
                          {"EXIT", 6}},
                         6, 64, {});
  EXPECT_EQ(blocks_text(k), "3: 1*0,1*1 | 2: 2*2 | 2*3");
}

// A loop behind a branch, in a loop with a barrier: the first warps enter it in all of their
// iterations, and execute it three times each time.
TEST(CountedDealing, ALoopBehindABranchBeforeABarrierIsOfTheFirstWarps) {
  const Launch k = test::programs_of({{"MOV R1, 0x20", 8},
                                      {"@P0 BRA 0x50", 40, 26 * 32},
                                      {"MOV R3, 0x20", 14},
                                      {"LDS R2, [R1]", 42},
                                      {"@P1 BRA 0x30", 42, 28 * 32},
                                      {"BAR.SYNC 0x0", 40},
                                      {"@P2 BRA 0x10", 40, 32 * 32},
                                      {"EXIT", 8}},
                                     2, 128);
  EXPECT_EQ(blocks_text(k), "2: 1*0,1*1,2*2");  // entered 7 times in a block: 5, 2, 0, 0
  std::vector<double> loads;                    // [kind of warps] executions
  for (const WarpKind& kind : k.warp_kinds) {
    std::vector<double> executions(k.segments.size());
    add_executions(kind.program, 1, executions);
    loads.push_back(0);
    for (std::size_t s = 0; s < executions.size(); ++s) {
      if (k.segments[s].classes.contains("shared_load")) loads.back() += executions[s];
    }
  }
  EXPECT_EQ(loads, (std::vector<double>{15, 6, 0}));
}

// A routine is called once by one warp, and in each of the ten iterations of all warps.
TEST(Calls, CodeFollowsTheCallThatIsExecutedMost) {
  const Launch k = dealt({{"@P0 BRA 0x20", 8, 7 * 32},
                          {"CALL.REL.NOINC 0x60", 1},
                          {"FADD R1, R1, R2", 80},
                          {"CALL.REL.NOINC 0x60", 80},
                          {"@P1 BRA 0x20", 80, 72 * 32},
                          {"EXIT", 8},
                          {"DADD R2, R2, R4", 81},
                          {"RET.REL.NODEC R10, 0x0", 81}},
                         4, 64, {});
  ASSERT_EQ(k.warp_kinds.size(), 2u);
  EXPECT_EQ(test::text_of(k.warp_kinds[0].program), "0 1 2 2x(3) 1 9x(2 3 1) 4");
  EXPECT_EQ(test::text_of(k.warp_kinds[1].program), "0 10x(2 3 1) 4");
}

// The routine calls itself more often than the loop calls it: its code is in the loop.
TEST(Calls, RecursiveCodeFollowsACallFromOutside) {
  const Launch k = dealt({{"MOV R1, RZ", 8},
                          {"CALL.REL.NOINC 0x40", 80},
                          {"@P1 BRA 0x10", 80, 72 * 32},
                          {"EXIT", 8},
                          {"DADD R2, R2, R4", 240},
                          {"@!P2 BRA 0x70", 240, 80 * 32},
                          {"CALL.REL.NOINC 0x40", 160},
                          {"RET.REL.NODEC R10, 0x0", 240}},
                         4, 64, {});
  ASSERT_EQ(k.warp_kinds.size(), 1u);
  EXPECT_EQ(test::text_of(k.warp_kinds[0].program), "0 10x(1 3x(2) 2x(1) 3x(3) 1) 4");
}

// Eight blocks of four warps; four of the blocks go on. In 6 of their 16 warps some lanes load.
// These are one or two warps of each of the four blocks, as in a tree over a block's threads. They
// are not the four warps of the first block and two of the second.
TEST(CountedDealing, LoadsOfSomeWarpsAreInEveryBlockThatGoesOn) {
  const SourceTable table = test::table_of({{"@P0 EXIT", 32, 16 * 32},
                                            {"BAR.SYNC 0x0", 16},
                                            {"@P1 LDS R2, [R1]", 16, 6 * 32},
                                            {"FADD R3, R2, R2", 16},
                                            {"EXIT", 16}});
  Launch launch = test::shape(8, 128);
  launch.classes = {{"shared_load", 6}};
  const Launch k = infer_programs(launch, table);
  ASSERT_EQ(k.warp_kinds.size(), 3u) << "with the load, without, and ended";
  EXPECT_EQ(blocks_text(k), "2: 2*0,2*1 | 2: 1*0,3*1 | 4: 4*2");
}

// The same with 8 loads: as many as two blocks have warps, and as many as two warps of each block.
TEST(CountedDealing, LoadsThatDivideEvenlyAreInEveryBlockThatGoesOn) {
  const SourceTable table = test::table_of({{"@P0 EXIT", 32, 16 * 32},
                                            {"BAR.SYNC 0x0", 16},
                                            {"@P1 LDS R2, [R1]", 16, 8 * 32},
                                            {"EXIT", 16}});
  Launch launch = test::shape(8, 128);
  launch.classes = {{"shared_load", 8}};
  EXPECT_EQ(blocks_text(infer_programs(launch, table)), "4: 2*0,2*1 | 4: 4*2");
}

}  // namespace
}  // namespace pnsim
