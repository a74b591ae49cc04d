// Which warps of a block execute what, where they have different roles.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "simulator/model/launch/scaled_counters.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using test::programs_of;

// An mbarrier, or a barrier of a part of the warps, does not make the first warps execute the rarer
// code: 12 of 24 iterations of two warps of each block.
TEST(WarpRoles, ABarrierOfOtherKindsLeavesRarerCodeToAllWarps) {
  for (const char* barrier : {"SYNCS.ARRIVE.TRANS64.RED RZ, [UR4], RZ", "BAR.SYNC 0x1, 0x20"}) {
    const Launch k = programs_of({{"MOV R1, RZ", 8},
                                  {"IADD3 R1, R1, 0x1, RZ", 96},
                                  {barrier, 96},
                                  {"@P1 BRA 0x50", 96},
                                  {"FADD R2, R3, R4", 48},
                                  {"@P0 BRA 0x10", 96, 32 * 88},
                                  {"EXIT", 8}},
                                 4, 64);
    ASSERT_EQ(k.warp_kinds.size(), 1u) << barrier;
    EXPECT_EQ(k.warp_kinds[0].warps, 8);
  }
}

// The first five warps of a block take one side, the last three the other; a branch in a side
// divides the warps of that side, and code behind it is executed by warps that came there.
TEST(WarpRoles, WarpsKeepTheirRole) {
  const Launch k = programs_of({{"MOV R1, RZ", 80},
                                {"@P0 BRA 0x70", 80, 32 * 30},
                                {"FADD R2, R3, R4", 50},  // warps 0 to 4 of each block
                                {"@P1 BRA 0x60", 50, 32 * 20},
                                {"FMUL R2, R3, R4", 30},  // 0 to 2
                                {"EXIT", 30},
                                {"EXIT", 20},             // 3 and 4
                                {"DADD R2, R4, R6", 30},  // 5 to 7
                                {"@P1 EXIT", 30, 32 * 20},
                                {"MUFU.RCP R2, R3", 10},  // one of them
                                {"EXIT", 10}},
                               10, 256);
  const auto of = [&](std::size_t kind, const char* name) {
    double count = 0;
    for (const ProgramItem& item : k.warp_kinds.at(kind).program)
      count += count_of(k.segments[*item.segment], name);
    return count;
  };
  std::map<std::string, std::int64_t> warps;
  for (std::size_t kind = 0; kind < k.warp_kinds.size(); ++kind) {
    const bool first = of(kind, "fp32") > 0, last = of(kind, "fp64") > 0;
    EXPECT_NE(first, last) << "each warp has one role";
    if (of(kind, "special") > 0) {
      EXPECT_TRUE(last);
      warps["special"] += k.warp_kinds[kind].warps;
    }
    if (of(kind, "fp32") == 2) warps["product"] += k.warp_kinds[kind].warps;
    warps[first ? "first" : "last"] += k.warp_kinds[kind].warps;
  }
  EXPECT_EQ(warps, (std::map<std::string, std::int64_t>{
                       {"first", 50}, {"last", 30}, {"product", 30}, {"special", 10}}));
}

// Four tiles of four steps each, both loops with one header: the end of a tile follows its steps.
TEST(WarpRoles, TheRarePartOfALoopComesAfterTheStepsOfATile) {
  const Launch k = programs_of({{"S2R R1, SR_TID.X", 4},
                                {"IADD3 R1, R1, 0x1, RZ", 64},
                                {"@P0 BRA 0x10", 64, 32 * 48},
                                {"DADD R2, R4, R6", 16},
                                {"DADD R2, R4, R6", 16},
                                {"@P1 BRA 0x10", 16, 32 * 12},
                                {"EXIT", 4}},
                               4, 32);
  ASSERT_EQ(k.warp_kinds.size(), 1u);
  EXPECT_EQ(test::text_of(k.warp_kinds[0].program), "0 4x(4x(1) 2) 3");
  EXPECT_GT(count_of(k.segments[2], "fp64"), 0);
}

// One block has a tile less than the others: its warps have fewer steps, too.
TEST(WarpRoles, AWarpWithFewerTilesHasFewerSteps) {
  const Launch k = programs_of({{"S2R R1, SR_TID.X", 4},
                                {"IADD3 R1, R1, 0x1, RZ", 60},
                                {"@P0 BRA 0x10", 60, 32 * 45},
                                {"DADD R2, R4, R6", 15},
                                {"DADD R2, R4, R6", 15},
                                {"@P1 BRA 0x10", 15, 32 * 11},
                                {"EXIT", 4}},
                               4, 32);
  ASSERT_EQ(k.warp_kinds.size(), 2u);
  EXPECT_EQ(k.warp_kinds[0].warps, 3);
  EXPECT_EQ(test::text_of(k.warp_kinds[0].program), "0 4x(4x(1) 2) 3");
  EXPECT_EQ(test::text_of(k.warp_kinds[1].program), "0 3x(4x(1) 2) 3");
}

// [block kind] executions of segments with `name`, by each warp of the block; -1 where they differ.
std::vector<double> of_blocks(const Launch& k, const char* name) {
  std::vector<double> out;
  for (const BlockKind& block : k.block_kinds) {
    std::set<double> counts;
    for (const BlockKind::Warps& warps : block.warps) {
      double count = 0;
      for_each_item(k.warp_kinds[warps.kind].program, [&](const ProgramPlace& place) {
        if (place.item.segment)
          count += static_cast<double>(place.executions) *
                   count_of(k.segments[*place.item.segment], name);
      });
      counts.insert(count);
    }
    out.push_back(counts.size() == 1 ? *counts.begin() : -1);
  }
  return out;
}

// 4 blocks of two warps. A barrier that half of the warps pass is passed by half of the blocks, and
// what is executed as often is executed by the same blocks.
TEST(WarpRoles, CodeWithABarrierIsExecutedByWholeBlocks) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"@P0 BRA 0x50", 8, 32 * 4},
                                {"DADD R2, R4, R6", 4},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 4},
                                {"EXIT", 4},
                                {"EXIT", 4}},
                               4, 64);
  ASSERT_EQ(k.block_kinds.size(), 2u);
  EXPECT_EQ(k.block_kinds[0].blocks, 2);
  EXPECT_EQ(of_blocks(k, "barrier"), (std::vector<double>{0, 1}));
  EXPECT_EQ(of_blocks(k, "fp64"), (std::vector<double>{0, 1}));
}

// 4 blocks of two warps share 10 iterations with a barrier: two blocks have three, the others two.
TEST(WarpRoles, IterationsWithABarrierAreThoseOfWholeBlocks) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"IADD3 R1, R1, 0x1, RZ", 20},
                                {"DADD R2, R4, R6", 20},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 20},
                                {"@P0 BRA 0x10", 20, 32 * 12},
                                {"EXIT", 8}},
                               4, 64);
  EXPECT_EQ(of_blocks(k, "fp64"), (std::vector<double>{3, 2}));
  EXPECT_EQ(of_blocks(k, "barrier"), (std::vector<double>{3, 2}));
  EXPECT_EQ(k.block_kinds[0].blocks, 2);
}

// A branch around a barrier: the blocks that do not pass it take the other arm.
TEST(WarpRoles, TheOtherArmIsOfTheOtherBlocks) {
  const Launch k = programs_of({{"MOV R1, RZ", 32},
                                {"@P0 BRA 0x50", 32, 32 * 24},
                                {"DADD R2, R4, R6", 8},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 8},
                                {"EXIT", 8},
                                {"MUFU.RCP R2, R3", 24},
                                {"EXIT", 24}},
                               8, 128);
  const std::vector<double> barriers = of_blocks(k, "barrier"), others = of_blocks(k, "special");
  ASSERT_EQ(k.block_kinds.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(barriers[b] + others[b], 1);
    EXPECT_EQ(k.block_kinds[b].blocks, barriers[b] == 1 ? 2 : 6);
  }
}

// Half of the warps end at a guard. Where it depends on the number of the block alone, these are
// all warps of some blocks; where the thread's number decides, they are some warps of each block.
TEST(WarpRoles, AGuardOfTheBlocksNumberEndsWholeBlocks) {
  const auto kinds_of = [](const std::string& special_register) {
    return programs_of({{"S2R R0, " + special_register, 8},
                        {"ISETP.GE.U32.AND P0, PT, R0, UR5, PT", 8},
                        {"@P0 EXIT", 8, 32 * 4},
                        {"FADD R2, R3, R4", 4},
                        {"EXIT", 4}},
                       4, 64);
  };
  const Launch by_block = kinds_of("SR_CTAID.X"), by_thread = kinds_of("SR_TID.X");
  ASSERT_EQ(by_block.block_kinds.size(), 2u);
  EXPECT_EQ(by_block.block_kinds[0].blocks, 2);
  EXPECT_EQ(of_blocks(by_block, "fp32"), (std::vector<double>{1, 0}));
  ASSERT_EQ(by_thread.block_kinds.size(), 1u);
  EXPECT_EQ(by_thread.block_kinds[0].warps.size(), 2u);
}

// The same before a loop: its iterations are those of the blocks that go on.
TEST(WarpRoles, ALoopBehindAGuardOfTheBlocksNumberIsOfWholeBlocks) {
  const auto kinds_of = [](const std::string& special_register) {
    return programs_of({{"S2R R0, " + special_register, 8},
                        {"ISETP.GE.U32.AND P0, PT, R0, UR5, PT", 8},
                        {"@P0 EXIT", 8, 32 * 4},
                        {"IADD3 R1, R1, 0x1, RZ", 20},
                        {"DADD R2, R4, R6", 20},
                        {"@P1 BRA 0x30", 20, 32 * 16},
                        {"EXIT", 4}},
                       4, 64);
  };
  const Launch by_block = kinds_of("SR_CTAID.X"), by_thread = kinds_of("SR_TID.X");
  ASSERT_EQ(by_block.block_kinds.size(), 2u);
  EXPECT_EQ(by_block.block_kinds[0].blocks, 2);
  EXPECT_EQ(of_blocks(by_block, "fp64"), (std::vector<double>{5, 0}));
  ASSERT_EQ(by_thread.block_kinds.size(), 1u);
}

// What else a guard may depend on, and a store in place of a branch: the warps of each block
// divide.
TEST(WarpRoles, OnlyABranchOnTheBlocksNumberAloneIsTakenByWholeBlocks) {
  const auto blocks_of = [](std::vector<test::Line> before, const std::string& last) {
    before.push_back({last, 8, 32 * 4});
    before.push_back({"FADD R2, R3, R4", 4});
    before.push_back({"EXIT", 4});
    return programs_of(before, 4, 64).block_kinds.size();
  };
  const test::Line block{"S2R R0, SR_CTAID.X", 8}, thread{"S2R R1, SR_TID.X", 8},
      less{"ISETP.GE.U32.AND P0, PT, R0, UR5, PT", 8};
  EXPECT_EQ(blocks_of({block, less}, "@P0 EXIT"), 2u);
  EXPECT_EQ(blocks_of({block, less}, "@P0 STG.E desc[UR4][R6.64], R5"), 1u) << "no branch";
  EXPECT_EQ(blocks_of({block, {"LDG.E R0, desc[UR4][R0.64]", 8}, less}, "@P0 EXIT"), 1u)
      << "a loaded value";
  EXPECT_EQ(blocks_of({block,
                       thread,
                       {"ISETP.GE.U32.AND P1, PT, R1, UR5, PT", 8},
                       {"@P1 ISETP.GE.U32.AND P0, PT, R0, UR5, PT", 8}},
                      "@P0 EXIT"),
            1u)
      << "the thread decides whether the guard is written";
}

// 100 blocks of four warps. Two of them go on, in half of the blocks: a branch on the block's
// number within a role.
TEST(WarpRoles, ABranchOnTheBlocksNumberInARoleDividesTheBlocks) {
  const Launch k = programs_of({{"S2R R0, SR_CTAID.X", 400},
                                {"S2R R1, SR_TID.X", 400},
                                {"ISETP.GE.U32.AND P0, PT, R1, 0x40, PT", 400},
                                {"ISETP.GE.U32.AND P1, PT, R0, UR5, PT", 400},
                                {"@P0 EXIT", 400, 32 * 200},
                                {"FMUL R2, R3, R4", 200},
                                {"@P1 EXIT", 200, 32 * 100},
                                {"DADD R2, R4, R6", 100},
                                {"EXIT", 100}},
                               100, 128);
  ASSERT_EQ(k.block_kinds.size(), 2u);
  EXPECT_EQ(k.block_kinds[0].blocks, 50);
}

// Six blocks of two warps. Two blocks end at once; two of the others take each arm of a branch.
TEST(WarpRoles, BlocksThatHaveEndedTakeNoArm) {
  const Launch k = programs_of({{"MOV R1, RZ", 12},
                                {"@P0 EXIT", 12, 32 * 4},
                                {"FADD R2, R3, R4", 8},
                                {"@P1 BRA 0x70", 8, 32 * 4},
                                {"DADD R2, R4, R6", 4},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 4},
                                {"EXIT", 4},
                                {"MUFU.RCP R2, R3", 4},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 4},
                                {"EXIT", 4}},
                               6, 64);
  ASSERT_EQ(k.block_kinds.size(), 3u);
  EXPECT_EQ(of_blocks(k, "fp32"), (std::vector<double>{1, 1, 0}));
  EXPECT_EQ(of_blocks(k, "barrier"), (std::vector<double>{1, 1, 0}));
  EXPECT_NE(of_blocks(k, "fp64")[0], of_blocks(k, "fp64")[1]) << "one arm each";
}

// Warps that wait at a barrier which counts all threads, where others only arrive, have a role.
TEST(WarpRoles, ANamedBarrierOfAllThreadsLeavesRolesToTheWarps) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"@P0 BRA 0x50", 8, 32 * 4},
                                {"DADD R2, R4, R6", 4},
                                {"BAR.SYNC 0x1, 0x40", 4},
                                {"EXIT", 4},
                                {"FADD R2, R3, R4", 4},
                                {"BAR.ARV 0x1, 0x40", 4},
                                {"EXIT", 4}},
                               4, 64);
  ASSERT_EQ(k.block_kinds.size(), 1u);
  EXPECT_EQ(k.block_kinds[0].warps.size(), 2u);
}

// 4 blocks of two warps have 8 iterations each; half of them pass a barrier, in all blocks alike.
// The warps of the first two blocks pass it once more.
TEST(WarpRoles, BarriersInALoopAreDealtToWholeBlocks) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"IADD3 R1, R1, 0x1, RZ", 64},
                                {"@P1 BRA 0x40", 64, 32 * 28},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 36},
                                {"@P0 BRA 0x10", 64, 32 * 56},
                                {"EXIT", 8}},
                               4, 64);
  ASSERT_EQ(k.block_kinds.size(), 2u);
  EXPECT_EQ(k.block_kinds[0].blocks, 2);
  EXPECT_EQ(of_blocks(k, "barrier"), (std::vector<double>{5, 4}));
}

// The warps of a role meet those of another at the barrier of their cluster.
TEST(WarpRoles, ABarrierOfTheClusterLeavesRolesToTheWarps) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"@P0 BRA 0x50", 8, 32 * 4},
                                {"DADD R2, R4, R6", 4},
                                {"UCGABAR_WAIT", 4},
                                {"EXIT", 4},
                                {"FADD R2, R3, R4", 4},
                                {"UCGABAR_WAIT", 4},
                                {"EXIT", 4}},
                               4, 64);
  ASSERT_EQ(k.block_kinds.size(), 1u);
  EXPECT_EQ(k.block_kinds[0].warps.size(), 2u);
}

// A cycle with two entries: a branch leads to its second instruction, and its last one back to its
// first. No order of the blocks has all predecessors first.
TEST(WarpRoles, ACycleWithTwoEntriesHasAllWarps) {
  const Launch k = test::programs_of({{"@P0 BRA 0x50", 16, 8 * 32},
                                      {"@P1 BRA 0x50", 8, 4 * 32},
                                      {"FADD R1, R1, R1", 12},
                                      {"@P2 BRA 0x70", 12, 4 * 32},
                                      {"FADD R2, R2, R2", 8},
                                      {"FMUL R3, R3, R3", 20},
                                      {"@P3 BRA 0x20", 20, 8 * 32},
                                      {"@P4 BRA 0x90", 16, 8 * 32},
                                      {"FADD R4, R4, R4", 8},
                                      {"EXIT", 16}},
                                     4, 128);
  EXPECT_EQ(executed_by(k).instructions, 16 + 8 + 12 + 12 + 8 + 20 + 20 + 16 + 8 + 16);
}

}  // namespace
}  // namespace pnsim
