// The results that segments wait for, and the time from their request.
#include <gtest/gtest.h>

#include "simulator/model/derive/infer_programs.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using test::programs_of;
using test::waits_text;

// Stalls for fixed latencies are part of the code: a warp still stalls for them after it has waited
// for a load.
TEST(ProgramWaits, FixedStallsContinueAfterALoad) {
  const Launch k = programs_of({{"LDG.E R2, desc[UR4][R8.64]", 1},
                                {"FADD R5, R9, R9", 1},
                                {"FADD R3, R2, R2", 1},  // waits for the load
                                {"FADD R6, R5, R9", 1},  // 2 behind R5
                                {"EXIT", 1}},
                               1, 32);
  ASSERT_EQ(waits_text(k.segments.at(1)), "global");
  EXPECT_EQ(k.segments[1].distances, (std::array<double, 3>{0, 1, 0}));
}

TEST(ProgramWaits, TheStallOfTheFirstInstructionEndsDuringTheLoad) {
  const Launch k =
      programs_of({{"LDG.E R2, desc[UR4][R8.64]", 1},
                   {"FADD R5, R9, R9", 1},
                   {"FADD R3, R2, R5", 1},  // waits for the load, and for R5 at no time
                   {"FADD R6, R5, R9", 1},
                   {"EXIT", 1}},
                  1, 32);
  ASSERT_EQ(waits_text(k.segments.at(1)), "global");
  EXPECT_EQ(k.segments[1].distances, (std::array<double, 3>{0, 0, 0}));
}

// A result that is used later than the first one may arrive later by as many slots.
TEST(ProgramWaits, LoadsThatAreUsedLaterMayArriveLater) {
  const auto begin_of = [](const char* third, const char* second) {
    const Launch k = programs_of({{"LDG.E R2, desc[UR4][R8.64]", 1},
                                  {"IADD3 R10, R20, 0x1, RZ", 1},
                                  {"IADD3 R11, R21, 0x1, RZ", 1},
                                  {"LDG.E R3, desc[UR4][R12.64]", 1},
                                  {"FADD R5, R2, R2", 1},  // waits for the loads
                                  {third, 1},
                                  {"FADD R6, R15, R15", 1},
                                  {second, 1},
                                  {"EXIT", 1}},
                                 1, 32);
    EXPECT_EQ(waits_text(k.segments.at(1)), "global");
    return k.segments[0].last_producer_slots.at(LateResult::kGlobal);
  };
  EXPECT_EQ(begin_of("FADD R7, R3, R15", "FADD R9, R14, R15"), 2)
      << "requested 3 slots later, used 1 later";
  EXPECT_EQ(begin_of("FADD R7, R13, R15", "FADD R9, R3, R15"), 0) << "used 3 later";
  EXPECT_EQ(begin_of("FADD R7, R13, R15", "FADD R9, R14, R15"), 0) << "not used in it";
}

// [load in the order of the code] whether the next wait for loads leaves it in flight.
std::vector<bool> outliving(const std::vector<test::Line>& code) {
  std::vector<bool> out;
  for (const Segment& segment : programs_of(code, 1, 32).segments) {
    for (const SegmentAccess& access : segment.accesses) {
      if (access.access_class != "global_load") continue;
      for (int n = 0; n < static_cast<int>(access.count); ++n) out.push_back(access.outlives_wait);
    }
  }
  return out;
}

// An index is waited for, while a word that is used after the gather stays in flight: in whatever
// order both were loaded (microbenchmark load_order).
TEST(ProgramWaits, LoadsOutliveTheWaitForAnother) {
  const test::Line index{"LDG.E R2, desc[UR4][R8.64]", 1}, word{"LDG.E R20, desc[UR4][R12.64]", 1},
      gather{"LDG.E R6, desc[UR4][R2.64]", 1}, sum{"FADD R7, R6, R20", 1}, exit{"EXIT", 1};
  EXPECT_EQ(outliving({index, word, gather, sum, exit}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(outliving({word, index, gather, sum, exit}), (std::vector<bool>{true, false, false}));
}

TEST(ProgramWaits, LoadsThatAreUsedBeforeTheNextWaitAreTakenByTheFirst) {
  const test::Line index{"LDG.E R2, desc[UR4][R8.64]", 1}, word{"LDG.E R20, desc[UR4][R12.64]", 1},
      gather{"LDG.E R6, desc[UR4][R2.64]", 1}, exit{"EXIT", 1};
  EXPECT_EQ(
      outliving({index, word, gather, {"FADD R5, R20, R20", 1}, {"FADD R7, R6, R6", 1}, exit}),
      (std::vector<bool>{false, false, false}))
      << "the net waits once for both";
  EXPECT_EQ(outliving({index, word, {"FADD R5, R2, R2", 1}, {"FADD R7, R20, R20", 1}, exit}),
            (std::vector<bool>{false, false}))
      << "no other load is waited for in between";
  EXPECT_EQ(outliving({{"LDG.E.128 R20, desc[UR4][R8.64]", 1},
                       {"LDG.E R6, desc[UR4][R20.64]", 1},
                       {"FADD R7, R6, R22", 1},
                       exit}),
            (std::vector<bool>{false, false}))
      << "all words of one load arrive together";
}

// Products of a warp group run on while the warps issue the next ones.
TEST(ProgramWaits, ProductsOfAWarpGroupAreWaitedForWhereTheCodeWaits) {
  const Launch k = programs_of({{"HGMMA.64x128x16.F32 R24, gdesc[UR16], R24", 4},
                                {"HGMMA.64x128x16.F32 R24, gdesc[UR16], R24, gsb0", 4},
                                {"HGMMA.64x64x16.F32 R88, gdesc[UR16], R88", 4},
                                {"WARPGROUP.DEPBAR.LE gsb0, 0x0", 4},
                                {"FADD R24, R24, R25", 4},
                                {"EXIT", 4}},
                               1, 128);
  ASSERT_EQ(k.segments.size(), 2u);
  EXPECT_EQ(k.segments[0].tensor_products,
            (std::map<std::string, double>{{"wgmma_columns", 128 + 128 + 64}}));
  EXPECT_TRUE(k.segments[0].last_producer_slots.contains(LateResult::kTensor));
  EXPECT_EQ(waits_text(k.segments[1]), "tensor");
  const Launch older = programs_of({{"HGMMA.64x128x16.F32 R24, gdesc[UR16], R24, gsb0", 4},
                                    {"WARPGROUP.DEPBAR.LE gsb0, 0x1", 4},
                                    {"EXIT", 4}},
                                   1, 128);
  EXPECT_EQ(older.segments.size(), 1u) << "the newest product stays in flight";
}

// Waits for products say nothing of other results, and the other way round.
TEST(ProgramWaits, ProductsAndOtherResultsAreWaitedForApart) {
  const test::Line product{"HGMMA.64x128x16.F32 R24, gdesc[UR16], R24, gsb0", 4},
      wait{"WARPGROUP.DEPBAR.LE gsb0, 0x0", 4}, exit{"EXIT", 4};
  const Launch load = programs_of({{"LDG.E R2, desc[UR4][R4.64]", 4},
                                   product,
                                   {"FADD R3, R2, R2", 4},
                                   wait,
                                   {"FADD R24, R24, R25", 4},
                                   exit},
                                  1, 128);
  ASSERT_EQ(load.segments.size(), 3u);
  EXPECT_EQ(waits_text(load.segments[1]), "global");
  EXPECT_EQ(waits_text(load.segments[2]), "tensor") << "the load says nothing of the product";
  const Launch shared = programs_of(
      {{"LDS R2, [R4]", 4}, product, wait, {"FADD R24, R24, R25", 4}, {"FADD R3, R2, R2", 4}, exit},
      1, 128);
  ASSERT_EQ(shared.segments.size(), 3u);
  EXPECT_EQ(waits_text(shared.segments[1]), "tensor");
  EXPECT_EQ(waits_text(shared.segments[2]), "shared") << "the product says nothing of the load";
}

// A chain of products stalls for the latency of each; independent ones do not.
TEST(ProgramWaits, AProductThatAddsToTheOneBeforeStalls) {
  const auto stalls = [](const char* second) {
    return programs_of({{"HMMA.16816.F32 R4, R8, R12, R4", 1}, {second, 1}, {"EXIT", 1}}, 1, 32)
        .segments.at(0)
        .tensor_stall_cycles;
  };
  EXPECT_EQ(stalls("HMMA.16816.F32 R4, R8, R14, R4"), 24 - 1);
  EXPECT_EQ(stalls("HMMA.16816.F32 R16, R8, R14, R16"), 0);
}

TEST(ProgramWaits, ABarrierOfAPartOfTheThreadsDoesNotHoldTheBlock) {
  const auto end_of = [](const char* barrier) {
    return programs_of({{barrier, 4}, {"FADD R1, R1, R1", 4}, {"EXIT", 4}}, 1, 128)
        .segments.at(0)
        .end;
  };
  EXPECT_EQ(end_of("BAR.SYNC.DEFER_BLOCKING 0x0"), SegmentEnd::kBarrier);
  EXPECT_EQ(end_of("BAR.SYNC 0x1, 0x80"), SegmentEnd::kBarrier) << "all 128 threads";
  EXPECT_EQ(end_of("BAR.SYNC 0x1, 0x40"), SegmentEnd::kExit);
  EXPECT_EQ(end_of("BAR.SYNC 0x1, R4"), SegmentEnd::kExit);
  EXPECT_EQ(end_of("BAR.ARV 0x1, 0x80"), SegmentEnd::kExit);
  EXPECT_EQ(end_of("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2"), SegmentEnd::kExit);
  EXPECT_EQ(end_of("UCGABAR_ARV"), SegmentEnd::kExit);
  EXPECT_EQ(end_of("UCGABAR_WAIT"), SegmentEnd::kBarrier);
}

TEST(ProgramWaits, CopiesStayInFlightOverTheirStages) {
  const auto stages = [](const char* wait) {
    return programs_of({{"LDGSTS.E.128 [R4], [R2.64]", 1},
                        {"LDGDEPBAR", 1},
                        {wait, 1},
                        {"BAR.SYNC.DEFER_BLOCKING 0x0", 1},
                        {"EXIT", 1}},
                       1, 32)
        .segments.at(0)
        .copy_stages;
  };
  EXPECT_EQ(stages("DEPBAR.LE SB0, 0x0"), 0);
  EXPECT_EQ(stages("DEPBAR.LE SB0, 0x2"), 2);
}

TEST(ProgramWaits, OnlyCopiesThatSaySoBypassL1) {
  const auto through_l1 = [](const char* copy) {
    return programs_of({{copy, 1}, {"EXIT", 1}}, 1, 32).segments.at(0).accesses.at(0).through_l1;
  };
  EXPECT_TRUE(through_l1("LDGSTS.E.LTC128B.128 [R4], [R2.64]"));
  EXPECT_FALSE(through_l1("LDGSTS.E.BYPASS.LTC128B.128 [R4], [R2.64]"));
  EXPECT_FALSE(through_l1("LDG.E R4, [R2.64]"));
}

TEST(ProgramWaits, BehindABarrierALoadIsWaitedFor) {
  const Launch k = programs_of({{"LDG.E R2, desc[UR4][R8.64]", 2},
                                {"BAR.SYNC.DEFER_BLOCKING 0x0", 2},
                                {"FADD R3, R2, R2", 2},
                                {"EXIT", 2}},
                               1, 64);
  ASSERT_EQ(k.segments.size(), 2u);
  EXPECT_EQ(k.segments[0].end, SegmentEnd::kBarrier);
  EXPECT_EQ(waits_text(k.segments[0]), "");
  EXPECT_EQ(waits_text(k.segments[1]), "global");
}

// In the net a segment waits for all short-scoreboard results together. A result that it does not
// need yet must not delay it.
TEST(ProgramWaits, ShortScoreboardResultsOfOtherKindsMayArriveLater) {
  const auto begin_of = [](const char* second, const char* third) {
    const Launch k = programs_of({{"MUFU.RSQ R2, R20", 1},
                                  {"IADD3 R10, R20, 0x1, RZ", 1},
                                  {"IADD3 R11, R21, 0x1, RZ", 1},
                                  {"IADD3 R12, R22, 0x1, RZ", 1},
                                  {"LDS R3, [R13]", 1},
                                  {"FADD R5, R2, R15", 1},  // waits for the special function alone
                                  {"FADD R6, R16, R15", 1},
                                  {second, 1},
                                  {third, 1},
                                  {"EXIT", 1}},
                                 1, 32);
    EXPECT_EQ(waits_text(k.segments.at(1)), "special");
    EXPECT_EQ(k.segments[0].last_producer_slots.at(LateResult::kSpecial), 0)
        << "requested by the first instruction";
    return k.segments[0].last_producer_slots.at(LateResult::kShared);
  };
  EXPECT_EQ(begin_of("FADD R7, R3, R15", "FADD R8, R17, R15"), 4 - 2)
      << "after a segment of 2 slots";
  EXPECT_EQ(begin_of("FADD R7, R17, R15", "FADD R8, R3, R15"), 4 - 3)
      << "after a segment of 3 slots";
}

TEST(ProgramWaits, ShortScoreboardResultsThatAreUsedLaterMayArriveLater) {
  const auto begin_of = [](const char* second, const char* third) {
    const Launch k = programs_of({{"LDS R2, [R13]", 1},
                                  {"IADD3 R10, R20, 0x1, RZ", 1},
                                  {"IADD3 R11, R21, 0x1, RZ", 1},
                                  {"LDS R3, [R14]", 1},
                                  {"FADD R5, R2, R15", 1},  // waits for both in the net
                                  {second, 1},
                                  {third, 1},
                                  {"EXIT", 1}},
                                 1, 32);
    EXPECT_EQ(waits_text(k.segments.at(1)), "shared");
    return k.segments[0].last_producer_slots.at(LateResult::kShared);
  };
  EXPECT_EQ(begin_of("FADD R7, R3, R15", "FADD R8, R17, R15"), 3 - 1);
  EXPECT_EQ(begin_of("FADD R7, R17, R15", "FADD R8, R3, R15"), 3 - 2);
}

}  // namespace
}  // namespace pnsim
