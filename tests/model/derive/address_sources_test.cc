#include "simulator/model/derive/address_sources.h"

#include <gtest/gtest.h>

#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using test::programs_of;

// [access of global memory, in order] "L" loaded, "C" computed, "A" the same in all blocks, "-"
// unknown.
std::string addresses_of(const std::vector<test::Line>& listing) {
  std::string out;
  for (const Segment& segment : programs_of(listing, 1, 32).segments) {
    for (const SegmentAccess& access : segment.accesses) {
      out += "-LCA"[static_cast<int>(access.addresses)];
    }
  }
  return out;
}

TEST(AddressSources, GathersAreLoadedAndStoredValuesDoNotMatter) {
  EXPECT_EQ(addresses_of({{"S2R R0, SR_TID.X", 1},
                          {"IMAD.WIDE R2, R0, 0x4, R8", 1},
                          {"LDG.E R4, desc[UR4][R2.64]", 1},
                          {"IMAD.WIDE R6, R4, 0x4, R10", 1},
                          {"LDG.E R5, desc[UR4][R6.64]", 1},
                          {"STG.E desc[UR4][R2.64], R5", 1},
                          {"EXIT", 1}}),
            "ALC")
      << "the stored value does not affect the address";
}

TEST(AddressSources, ConstantsAndShuffledIndicesAreNotLoaded) {
  EXPECT_EQ(addresses_of({{"LDC R1, c[0x0][0x210]", 1},
                          {"SHFL.IDX PT, R2, R1, RZ, 0x1f", 1},
                          {"LDG.E R4, desc[UR4][R2.64]", 1},
                          {"EXIT", 1}}),
            "A");
}

TEST(AddressSources, SharedMemoryAndShufflesOfItAreLoaded) {
  EXPECT_EQ(addresses_of({{"LDS R1, [R0]", 1},
                          {"SHFL.IDX PT, R2, R1, RZ, 0x1f", 1},
                          {"STG.E desc[UR4][R2.64], R9", 1},
                          {"MOV R2, R9", 1},
                          {"STG.E desc[UR4][R2.64], R1", 1},
                          {"EXIT", 1}}),
            "-LC")
      << "a register has the sources of its last write";
}

TEST(AddressSources, AGuardedWriteMayLeaveALoadedValue) {
  EXPECT_EQ(addresses_of({{"LDG.E R2, desc[UR4][R6.64]", 1},
                          {"@P0 MOV R2, R9", 1},
                          {"STG.E desc[UR4][R2.64], R9", 1},
                          {"EXIT", 1}}),
            "AL");
}

// The guard of the store is another one than that of the write, although both are called P0.
TEST(AddressSources, EveryWriteOfAPredicateEndsItsStrongUpdates) {
  const auto stored = [](const char* between) {
    return addresses_of({{"@P0 LDG.E R4, desc[UR4][R2.64]", 1},
                         {"@!P0 MOV R4, R8", 1},
                         {between, 1},
                         {"@!P0 STG.E desc[UR4][R4.64], R9", 1},
                         {"EXIT", 1}})
        .back();
  };
  EXPECT_EQ(stored("MOV R7, R8"), 'C');
  EXPECT_EQ(stored("R2P PR, R7, 0x1"), 'L');
  EXPECT_EQ(stored("R2P PR, R7, 0x2"), 'C') << "P0 is not in the mask";
  EXPECT_EQ(stored("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R7+URZ], R8"), 'L');
}

// A list walk: its first iteration has a computed address, the others a loaded one.
TEST(AddressSources, ALoopHasTheSourcesOfAllItsIterations) {
  EXPECT_EQ(addresses_of({{"MOV R2, R9", 1},
                          {"LDG.E R2, desc[UR4][R2.64]", 5},  // 0x10
                          {"ISETP.NE.AND P0, PT, R2, RZ, PT", 5},
                          {"@P0 BRA 0x10", 5},
                          {"EXIT", 1}}),
            "L");
}

// The load of a tile: its address register held a result of memory in the iteration before. The
// address is written and used under one guard, so the older value cannot reach the load.
TEST(AddressSources, AWriteAndAUseUnderOneGuardAreAStrongUpdate) {
  const auto tile = [](const char* write, const char* between, const char* load) {
    return addresses_of({{"S2R R0, SR_TID.X", 1},
                         {"ISETP.GE.AND P0, PT, R1, R9, PT", 5},  // 0x10
                         {write, 5},
                         {between, 5},
                         {load, 5},
                         {"LDS R2, [R7]", 5},  // the register again, for another value
                         {"FFMA R6, R2, R4, R6", 5},
                         {"ISETP.NE.AND P1, PT, R1, R9, PT", 5},
                         {"@P1 BRA 0x10", 5},
                         {"EXIT", 1}});
  };
  const char* write = "@!P0 IMAD R2, R0, 0x4, R8";
  const char* load = "@!P0 LDG.E R4, desc[UR6][R2]";
  EXPECT_EQ(tile(write, "NOP", load), "A-");
  EXPECT_EQ(tile(write, "NOP", "@P0 LDG.E R4, desc[UR6][R2]"), "L-") << "the other guard";
  EXPECT_EQ(tile(write, "NOP", "LDG.E R4, desc[UR6][R2]"), "L-") << "no guard";
  EXPECT_EQ(tile(write, "ISETP.GE.AND P0, PT, R1, R3, PT", load), "L-") << "the guard changed";
  EXPECT_EQ(tile(write, "@P0 MOV R2, R8", "LDG.E R4, desc[UR6][R2]"), "A-")
      << "both values of the guard are written";
  EXPECT_EQ(tile(write, "@P2 MOV R2, R8", load), "L-") << "a write under another guard";
  EXPECT_EQ(tile("@!P0 MOV R2, R6", "NOP", load), "L-") << "the source of the write is loaded";
}

// Where paths with different guards join, the value may come from either path.
TEST(AddressSources, GuardedValuesFromTwoWaysAreBoth) {
  const auto joined = [](const char* one, const char* other) {
    return addresses_of({{"LDS R2, [R7]", 2},
                         {"@P3 BRA 0x50", 2},
                         {one, 1},
                         {"BRA 0x60", 1},
                         {"NOP", 0},
                         {other, 1},                           // 0x50
                         {"@!P0 LDG.E R4, desc[UR6][R2]", 2},  // 0x60
                         {"EXIT", 2}});
  };
  EXPECT_EQ(joined("@!P0 MOV R2, R8", "@!P0 MOV R2, R9"), "-A");
  EXPECT_EQ(joined("@!P0 MOV R2, R8", "@P0 MOV R2, R9"), "-L");
  EXPECT_EQ(joined("@!P0 MOV R2, R8", "MOV R2, R9"), "-A");
  EXPECT_EQ(joined("@!P0 MOV R2, R8", "NOP"), "-L");
}

// A table that all blocks read, and data of each block. The block index may be in a uniform
// register.
TEST(AddressSources, AddressesOfABlockDependOnItsIndex) {
  EXPECT_EQ(addresses_of({{"S2R R0, SR_TID.X", 1},
                          {"S2UR UR4, SR_CTAID.X", 1},
                          {"IMAD.WIDE R2, R0, 0x4, R8", 1},
                          {"LDG.E R4, desc[UR6][R2.64]", 1},
                          {"IMAD R5, R1, UR4, R0", 1},
                          {"IMAD.WIDE R6, R5, 0x4, R10", 1},
                          {"LDG.E R4, desc[UR6][R6.64]", 1},
                          {"STG.E desc[UR6][R6.64], R4", 1},
                          {"EXIT", 1}}),
            "ACC");
}

// A loop over tiles has common addresses if all blocks start at the same tile, but not if each
// block starts at its own tile.
TEST(AddressSources, LoopsThatStartAlikeInAllBlocksAreCommon) {
  const auto walk = [](const char* from) {
    return addresses_of({{from, 1},
                         {"LDG.E R4, desc[UR6][R2.64]", 5},  // 0x10
                         {"IADD3 R2, R2, 0x400, RZ", 5},
                         {"ISETP.NE.AND P0, PT, R2, R9, PT", 5},
                         {"@P0 BRA 0x10", 5},
                         {"EXIT", 1}});
  };
  EXPECT_EQ(walk("S2R R2, SR_TID.X"), "A");
  EXPECT_EQ(walk("S2R R2, SR_CTAID.X"), "C");
  EXPECT_EQ(walk("S2R R2, SR_SMID"), "C") << "blocks of other SMs have other addresses";
}

// The first of a block's two warps requests the sectors that both load.
TEST(AddressSources, WarpsOfABlockShareAddressesThatNoThreadDecides) {
  const auto fresh = [](const std::string& index) {
    SourceTable table = test::table_of({{"S2R R0, " + index, 4},
                                        {"IMAD.WIDE R2, R0, 0x4, R8", 4},
                                        {"LDG.E R4, desc[UR4][R2.64]", 4},
                                        {"IMAD.WIDE R6, R4, 0x4, R10", 4},
                                        {"LDG.E R5, desc[UR4][R6.64]", 4},
                                        {"EXIT", 4}});
    for (const std::size_t load : {2, 4}) table.rows[load].sectors = 4;
    const Launch k = infer_programs(test::with_all_accesses(test::shape(2, 64), table), table);
    std::vector<double> out;
    for (const Segment& segment : k.segments) {
      for (const SegmentAccess& access : segment.accesses) out.push_back(access.new_sector_share);
    }
    return out;
  };
  EXPECT_EQ(fresh("SR_CTAID.X"), (std::vector<double>{0.5, 1})) << "a loaded index may differ";
  EXPECT_EQ(fresh("SR_TID.X"), (std::vector<double>{1, 1}));
  EXPECT_EQ(fresh("SR_LANEID"), (std::vector<double>{1, 1}));
  EXPECT_EQ(fresh("SR_CLOCKLO"), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace pnsim
