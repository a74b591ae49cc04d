#include <gtest/gtest.h>

#include "simulator/model/derive/active_accesses.h"
#include "simulator/model/derive/infer_programs.h"
#include "simulator/model/derive/requested_sectors.h"
#include "simulator/model/launch/imbalance.h"
#include "tests/base/error_of.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using test::blocks_text;
using test::programs_of;
using test::waits_text;
using Classes = std::map<std::string, double>;     // of a segment
using Sums = std::map<std::string, std::int64_t>;  // of a launch

std::string program_of(const Launch& launch, std::size_t kind) {
  return test::text_of(launch.warp_kinds.at(kind).program);
}

TEST(Programs, StraightCodeIsCutWhereALoadIsFirstRead) {
  const Launch k = programs_of({{"S2R R0, SR_TID.X", 8},
                                {"IMAD.WIDE R2, R0, 0x4, R8", 8},
                                {"LDG.E R4, desc[UR4][R2.64]", 8},
                                {"LDG.E R5, desc[UR4][R2.64+0x10]", 8},
                                {"FADD R6, R4, R5", 8},
                                {"STG.E desc[UR4][R2.64], R6", 8},
                                {"EXIT", 8}},
                               4, 64);
  ASSERT_EQ(k.segments.size(), 3u);
  EXPECT_EQ(program_of(k, 0), "0 1 2");
  EXPECT_EQ(blocks_text(k), "4: 2*0");
  EXPECT_EQ(waits_text(k.segments[0]), "");
  EXPECT_EQ(waits_text(k.segments[1]), "special");
  EXPECT_EQ(waits_text(k.segments[2]), "global");
  EXPECT_EQ(k.segments[0].end, SegmentEnd::kLoad);
  EXPECT_EQ(k.segments[2].end, SegmentEnd::kExit);
  EXPECT_EQ(k.segments[1].classes, (Classes{{"imad_wide", 1}, {"global_load", 2}}));
  EXPECT_EQ(k.segments[1].accesses.at(0).count, 2);
  EXPECT_EQ(k.warp_kinds[0].program[1].counts, (InstructionCounts{1, 0, 2}));
}

TEST(Programs, TwoLoadsAreWaitedForAtOnceAndAQuickerOneWithTheSlower) {
  const Launch k = programs_of({{"LDS R1, [R0]", 1},
                                {"LDG.E R2, desc[UR4][R8.64]", 1},
                                {"FADD R3, R2, R2", 1},  // waits for global, shared is there too
                                {"FADD R4, R1, R3", 1},
                                {"LDG.E R5, desc[UR4][R8.64]", 1},
                                {"LDS R6, [R0]", 1},
                                {"FADD R6, R6, R6", 1},  // waits for shared, global still comes
                                {"FADD R5, R5, R6", 1},
                                {"EXIT", 1}},
                               1, 32);
  EXPECT_EQ(program_of(k, 0), "0 1 2 3");
  EXPECT_EQ(waits_text(k.segments[1]), "global");
  EXPECT_EQ(waits_text(k.segments[2]), "shared");
  EXPECT_EQ(waits_text(k.segments[3]), "global");
}

TEST(Programs, DistancesAndTheLongestChainAreOfTheSegment) {
  const Launch k = programs_of({{"FADD R1, R9, R9", 1},
                                {"FADD R2, R1, R9", 1},  // 1 behind R1: waits
                                {"FADD R3, R9, R9", 1},
                                {"FADD R4, R2, R3", 1},  // 1 behind R3, the last of its sources
                                {"FADD R5, R9, R9", 1},
                                {"FADD R6, R9, R9", 1},
                                {"FADD R7, R4, R9", 1},  // 3 behind R4
                                {"FADD R8, R2, R9", 1},  // long there
                                {"EXIT", 1}},
                               1, 32);
  EXPECT_EQ(k.segments.at(0).distances, (std::array<double, 3>{2, 0, 1}));
  EXPECT_EQ(k.segments[0].critical_path, 4);
}

TEST(Programs, DistancesToAnotherPipeAndOfDoublePrecisionAreApart) {
  const Launch k =
      programs_of({{"FADD R1, R9, R9", 1},
                   {"IADD3 R2, R1, R9, RZ", 1},  // 1 behind, from the other pipe
                   {"FADD R3, R9, R9", 1},
                   {"FADD R4, R2, R3", 1},  // 2 behind R2 at 5: as late as R3, 1 behind at 4
                   {"DADD R6, R10, R10", 1},
                   {"DADD R8, R6, R10", 1},  // 1 behind at 8
                   {"EXIT", 1}},
                  1, 32);
  EXPECT_EQ(k.segments.at(0).distances, (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(k.segments[0].distances_across, (std::array<double, 4>{1, 1, 0, 0}));
  EXPECT_EQ(k.segments[0].distances_double, (std::array<double, 7>{1, 0, 0, 0, 0, 0, 0}));
}

// An operand that is read again at the same place is reused, unless the warp waits in between.
TEST(Programs, OperandsAreKeptWhereNothingIsWaitedFor) {
  const auto reads = [](const char* third) {
    return programs_of({{"FFMA R10, R2, R4, R6", 1}, {third, 1}, {"EXIT", 1}}, 1, 32)
        .segments.at(0)
        .register_bank_reads[0];
  };
  EXPECT_EQ(reads("FFMA R11, R2, R4, R8"), 3 + 1);
  EXPECT_EQ(reads("FFMA R11, R2, R4, R10"), 3 + 3)
      << "waits for R10: other warps overwrite the reuse cache";
}

// The reuse cache has an entry for each place and bank, so an operand of the other bank leaves it.
TEST(Programs, OperandsOfTheOtherBankLeaveTheReuseCache) {
  const Launch k = programs_of({{"FFMA R10, R2, R4, R6", 1},
                                {"FFMA R11, R3, R5, R7", 1},
                                {"FFMA R12, R2, R4, R8", 1},
                                {"EXIT", 1}},
                               1, 32);
  EXPECT_EQ(k.segments.at(0).register_bank_reads, (std::array<double, 2>{3 + 1, 3}));
}

TEST(Programs, TakenBranchesAndReconvergencesAreCounted) {
  const Launch k = programs_of(
      {{"BSSY B0, 0x40", 4},
       {"@P0 BRA 0x30", 4, 4 * 32},  // all lanes jump, over an instruction that no lane executes
       {"MOV R1, RZ", 0},
       {"FADD R2, R9, R9", 4},
       {"BSYNC B0", 4},
       {"EXIT", 4}},
      1, 128);
  double branches = 0;
  std::int64_t meets = 0;
  for (const Segment& segment : k.segments)
    branches += segment.branches, meets += segment.reconvergences;
  EXPECT_DOUBLE_EQ(branches, 1);
  EXPECT_EQ(meets, 1);
}

// 12 of the 32 warps of 4 blocks execute some code. The counters show whether they are all in the
// first blocks.
TEST(Programs, BusyBlocksAgreeWithTheBusiestScheduler) {
  const std::vector<test::Line> lines = {
      {"@P0 EXIT", 32, 12 * 32}, {"FADD R1, R1, R1", 12}, {"EXIT", 12}};
  const SourceTable table = test::table_of(lines);
  Launch launch = test::with_all_accesses(test::shape(4, 256), table);
  launch.counters = {{kProfiledSms, 4}, {kAllSchedulers, 32 + 24}, {kBusiestScheduler, 2 + 2}};
  EXPECT_EQ(blocks_text(infer_programs(launch, table)), "4: 3*0,5*1")
      << "three warps of each block";
  launch.counters[kBusiestScheduler] = 2 + 4;
  EXPECT_EQ(blocks_text(infer_programs(launch, table)), "8*0 | 4*0,4*1 | 2: 8*1");
}

TEST(Programs, ALoopIsRepeated) {
  const Launch k = programs_of({{"MOV R1, RZ", 8},
                                {"LDS R2, [R1]", 80},
                                {"FADD R3, R3, R2", 80},
                                {"@P0 BRA 0x10", 80, 80 * 32 - 8 * 32},
                                {"EXIT", 8}},
                               4, 64);
  EXPECT_EQ(program_of(k, 0), "0 10x(1 2) 3");
  EXPECT_EQ(k.segments[2].end, SegmentEnd::kEdge);
  EXPECT_EQ(k.segments[3].end, SegmentEnd::kExit);
}

TEST(Programs, LoopsNest) {
  const Launch k = programs_of({{"MOV R1, RZ", 2},
                                {"MOV R2, RZ", 6},
                                {"IADD3 R2, R2, 0x1, RZ", 24},
                                {"@P0 BRA 0x20", 24, 24 * 16},
                                {"IADD3 R1, R1, 0x1, RZ", 6},
                                {"@P1 BRA 0x10", 6, 6 * 16},
                                {"EXIT", 2}},
                               2, 32);
  EXPECT_EQ(program_of(k, 0), "0 3x(0 4x(1) 2) 3")
      << "even and odd registers are distinct segments";
}

TEST(Programs, ALoadReadInTheNextIterationIsWaitedForThere) {
  const Launch k = programs_of({{"LDG.E R2, desc[UR4][R8.64]", 1},
                                {"FADD R3, R3, R2", 10},
                                {"LDG.E R2, desc[UR4][R8.64]", 10},
                                {"@P0 BRA 0x10", 10, 9 * 32},
                                {"EXIT", 1}},
                               1, 32);
  EXPECT_EQ(program_of(k, 0), "0 10x(1) 2");
  EXPECT_EQ(waits_text(k.segments[1]), "global");
}

TEST(Programs, UnevenTripsGoToTheFirstWarps) {
  const Launch k = programs_of(
      {{"MOV R1, RZ", 4}, {"IADD3 R1, R1, 0x1, RZ", 10}, {"@P0 BRA 0x10", 10, 6 * 32}, {"EXIT", 4}},
      1, 128);
  EXPECT_EQ(blocks_text(k), "2*0,2*1");
  EXPECT_EQ(program_of(k, 0), "0 3x(1) 2");
  EXPECT_EQ(program_of(k, 1), "0 2x(1) 2");
}

TEST(Programs, ALoopLeftInTheMiddleEndsWithHalfAnIteration) {
  const Launch k = programs_of({{"ISETP.GE.AND P0, PT, R1, R2, PT", 11},
                                {"@P0 BRA 0x40", 11, 32},
                                {"IADD3 R1, R1, 0x1, RZ", 10},
                                {"BRA 0x0", 10},
                                {"EXIT", 1}},
                               1, 32);
  EXPECT_EQ(program_of(k, 0), "10x(0 1) 0 2");
}

TEST(Programs, DivergentWarpsAreTheFirstOfEachBlock) {
  const Launch k = programs_of(
      {{"@P0 BRA 0x30", 24}, {"LDS R2, [R1]", 6}, {"FADD R3, R3, R2", 6}, {"EXIT", 24}}, 6, 128);
  EXPECT_EQ(blocks_text(k), "6: 1*0,3*1");
  EXPECT_EQ(program_of(k, 0), "0 1 2 3");
  EXPECT_EQ(program_of(k, 1), "0 3");
}

TEST(Programs, TheTwoSidesOfABranchAreOfDifferentWarps) {
  const Launch k = programs_of({{"@P0 BRA 0x30", 8, 2 * 32},
                                {"FADD R1, R1, R1", 6},
                                {"BRA 0x40", 6},
                                {"FMUL R1, R1, R1", 2},
                                {"EXIT", 8}},
                               2, 128);
  EXPECT_EQ(blocks_text(k), "2: 3*0,1*1");
  EXPECT_EQ(program_of(k, 0), "0 1 2");
  EXPECT_EQ(program_of(k, 1), "0 3 2");
}

// Warps with different roles: each side of the branch begins with its loop.
TEST(Programs, TheTwoSidesOfABranchAreOfDifferentWarpsWhereTheyBeginWithLoops) {
  const Launch k = programs_of({{"@P0 BRA 0x40", 8, 2 * 32},
                                {"FADD R1, R1, R1", 18},
                                {"@P1 BRA 0x10", 18, 12 * 32},
                                {"BRA 0x60", 6},
                                {"FMUL R1, R1, R1", 8},
                                {"@P2 BRA 0x40", 8, 6 * 32},
                                {"EXIT", 8}},
                               2, 128);
  EXPECT_EQ(blocks_text(k), "2: 3*0,1*1");
  EXPECT_EQ(program_of(k, 0), "0 3x(1) 0 2");  // equal segments have one number
  EXPECT_EQ(program_of(k, 1), "0 4x(1) 2");
}

TEST(Programs, EarlyExitOfTheLastBlock) {
  const Launch k = programs_of({{"ISETP.GE.AND P0, PT, R1, R2, PT", 40},
                                {"@P0 EXIT", 40, 3 * 32},
                                {"FADD R1, R1, R1", 37},
                                {"EXIT", 37}},
                               10, 128);
  EXPECT_EQ(blocks_text(k), "9: 4*0 | 1*0,3*1");
  EXPECT_EQ(program_of(k, 0), "0 1");
  EXPECT_EQ(program_of(k, 1), "0");
}

TEST(Programs, ABarrierEndsASegmentAndInALoopTheRarerCodeIsOfTheFirstWarps) {
  const Launch k = programs_of({{"MOV R1, 0x20", 8},
                                {"@P0 BRA 0x40", 40, 30 * 32},
                                {"LDS R2, [R1]", 14},
                                {"STS [R1], R2", 14},
                                {"BAR.SYNC 0x0", 40},
                                {"@P1 BRA 0x10", 40, 32 * 32},
                                {"EXIT", 8}},
                               2, 128);
  EXPECT_EQ(blocks_text(k), "2: 1*0,1*1,2*2");  // 7 a block: 5, 2, 0, 0
  EXPECT_EQ(program_of(k, 0), "0 5x(1 2 3 4 5) 6");
  EXPECT_EQ(program_of(k, 1), "0 2x(1 2 3 4 5) 3x(1 4 5) 6");
  EXPECT_EQ(program_of(k, 2), "0 5x(1 4 5) 6");
  EXPECT_EQ(k.segments[4].end, SegmentEnd::kBarrier);
}

// Two rare parts before a barrier with equal executions are two edges of a tile: one goes to the
// first warps, the other to the last warps.
TEST(Programs, EqualPartsBeforeABarrierAreOfOppositeWarps) {
  const Launch k = programs_of({{"MOV R1, 0x20", 8},
                                {"@P0 BRA 0x30", 40, 30 * 32},
                                {"FADD R1, R1, R1", 10},
                                {"@P1 BRA 0x50", 40, 30 * 32},
                                {"FMUL R1, R1, R1", 10},
                                {"BAR.SYNC 0x0", 40},
                                {"@P2 BRA 0x10", 40, 32 * 32},
                                {"EXIT", 8}},
                               2, 128);
  EXPECT_EQ(blocks_text(k), "2: 1*0,2*1,1*2");
  EXPECT_EQ(program_of(k, 0), "0 5x(1 2 1 3 4) 5");
  EXPECT_EQ(program_of(k, 1), "0 5x(1 1 3 4) 5");
  EXPECT_EQ(program_of(k, 2), "0 5x(1 1 2 3 4) 5");
}

// A third such part goes to the first warps again. Code that most warps execute is no edge.
TEST(Programs, EdgesAlternateAndCommonPartsDoNot) {
  const Launch k = programs_of({{"MOV R1, 0x20", 8},
                                {"@P0 BRA 0x30", 40, 30 * 32},
                                {"FADD R1, R1, R1", 10},
                                {"@P1 BRA 0x50", 40, 30 * 32},
                                {"FMUL R1, R1, R1", 10},
                                {"@P2 BRA 0x70", 40, 30 * 32},
                                {"FFMA R1, R1, R1, R1", 10},
                                {"BAR.SYNC 0x0", 40},
                                {"@P3 BRA 0x10", 40, 32 * 32},
                                {"EXIT", 8}},
                               2, 128);
  EXPECT_EQ(blocks_text(k), "2: 1*0,2*1,1*2");
  const Launch common = programs_of({{"MOV R1, 0x20", 8},
                                     {"@P0 BRA 0x30", 40, 10 * 32},
                                     {"FADD R1, R1, R1", 30},
                                     {"@P1 BRA 0x50", 40, 10 * 32},
                                     {"FMUL R1, R1, R1", 30},
                                     {"BAR.SYNC 0x0", 40},
                                     {"@P2 BRA 0x10", 40, 32 * 32},
                                     {"EXIT", 8}},
                                    2, 128);
  EXPECT_EQ(blocks_text(common), "2: 3*0,1*1") << "three warps of four do both";
}

TEST(Programs, PredicatedLoadsThatTouchNothingAreNoAccesses) {
  test::Line load{"@P0 LDG.E R2, desc[UR4][R8.64]", 8, 3 * 32};
  const SourceTable table = test::table_of({load, {"FADD R3, R2, R2", 8}, {"EXIT", 8}});
  Launch launch = test::shape(4, 64);
  launch.classes = {{"global_load", 3}};
  const Launch k = infer_programs(launch, table);
  EXPECT_EQ(program_classes(k),
            (Sums{{"global_load", 3}, {"predicated_off", 5}, {"fp32", 8}, {"control", 8}}));
  EXPECT_EQ(k.warp_kinds.size(), 2u);
  EXPECT_EQ(program_of(k, 0), "0 1");
  EXPECT_EQ(program_of(k, 1), "2 1");
  EXPECT_TRUE(k.segments[2].accesses.empty());
}

// The page has their sectors, and no look-ups of lines: one for four sectors.
TEST(Programs, AccessesToLocalMemoryHaveTheirOwnSectors) {
  SourceTable table = test::table_of({{"LDL R2, [R1]", 8}, {"STL [R1], R2", 8}, {"EXIT", 8}});
  table.rows[0].local_sectors = 8 * 10;
  table.rows[0].sectors = 0;
  table.rows[1].local_sectors = 8 * 2;
  Launch launch = test::shape(4, 64);
  launch.classes = {{"local_load", 8}, {"local_store", 8}};
  const Launch k = infer_programs(launch, table);
  const SegmentAccess &load = k.segments[0].accesses.at(0), &store = k.segments[1].accesses.at(0);
  EXPECT_EQ(std::pair(load.sectors, load.tag_lookups), std::pair(10.0, 2.5));
  EXPECT_EQ(std::pair(store.sectors, store.tag_lookups), std::pair(2.0, 1.0));
}

TEST(Programs, UnknownOpcodesAreNamedAndCounted) {
  const Launch k = programs_of({{"FROB.X R1, R2", 4}, {"FROB.X R1, R2", 4}, {"EXIT", 4}}, 1, 128);
  EXPECT_EQ(k.unknown_opcodes, (Sums{{"FROB.X", 8}}));
  EXPECT_EQ(program_classes(k), (Sums{{"other", 8}, {"control", 4}}));
}

TEST(Programs, CodeThatWasNotExecutedHasEmptyPrograms) {
  const Launch k = programs_of({{"NOP", 0}, {"EXIT", 0}}, 2, 32);
  EXPECT_EQ(blocks_text(k), "2: 1*0");
  EXPECT_EQ(program_of(k, 0), "");
  EXPECT_EQ(programs_of({}, 2, 32).warp_kinds.size(), 1u);
}

TEST(ProgramFaults, ALoopOfTooManyIterationsIsRefused) {
  EXPECT_EQ(
      test::input_error_of([] {
        programs_of(
            {{"IADD3 R1, R1, 0x1, RZ", 1000000001}, {"@P0 BRA 0x0", 1000000001, 32}, {"EXIT", 1}},
            1, 32);
      }),
      "s.csv: row 1: a loop has 1000000001 iterations, expected at most 1000000000");
}

TEST(ActiveAccesses, AreBetweenThreadsAndWavefrontsAndAddUp) {
  SourceTable table = test::table_of({{"@P0 LDS R1, [R0]", 100, 40 * 32},
                                      {"@P1 LDS R2, [R0]", 100, 10 * 32},
                                      {"LDS R3, [R0]", 100},
                                      {"@P2 LDG.E R3, desc[UR4][R8.64]", 100, 5}});
  table.rows[0].wavefronts = 60;
  table.rows[1].wavefronts = 20;
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(active_executions(table, {{"shared_load", 165}, {"global_load", 4}}),
            (Counts{50, 15, 100, 4}));
  EXPECT_EQ(active_executions(table, {{"shared_load", 180}}), (Counts{60, 20, 100, 0}));
  EXPECT_EQ(active_executions(table, {{"shared_load", 300}}), (Counts{100, 100, 100, 0}));
}

// The profiler counts a generic access by the memory that it touches.
TEST(Programs, AGenericLoadOfSharedMemoryIsASharedLoadOrAtLeastActive) {
  SourceTable table = test::table_of(
      {{"LD.E R2, [R4.64]", 8}, {"LD.E R3, [R6.64]", 8}, {"LDS R5, [R8]", 8}, {"EXIT", 8}});
  table.rows[0].wavefronts = 8;  // shared memory alone
  table.rows[1].wavefronts = 4;  // both
  table.rows[1].tags = 4;
  table.rows[2].wavefronts = 8;
  Launch raw = test::shape(4, 64);
  raw.classes = {{"shared_load", 8 + 4 + 8}, {"global_load", 4}};
  EXPECT_EQ(program_classes(infer_programs(raw, table)),
            (std::map<std::string, std::int64_t>{
                {"control", 8}, {"generic_load", 8}, {"shared_load", 16}}));
}

}  // namespace
}  // namespace pnsim
