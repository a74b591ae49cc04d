#include "simulator/model/sass/address_sources.h"

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

TEST(AddressSources, of_a_gather_and_of_what_it_stores) {
  EXPECT_EQ(addresses_of({{"S2R R0, SR_TID.X", 1},
                          {"IMAD.WIDE R2, R0, 0x4, R8", 1},
                          {"LDG.E R4, desc[UR4][R2.64]", 1},
                          {"IMAD.WIDE R6, R4, 0x4, R10", 1},
                          {"LDG.E R5, desc[UR4][R6.64]", 1},
                          {"STG.E desc[UR4][R2.64], R5", 1},
                          {"EXIT", 1}}),
            "ALC")
      << "what is stored says nothing of where";
}

TEST(AddressSources, of_constants_and_shuffled_places_are_not_loaded) {
  EXPECT_EQ(addresses_of({{"LDC R1, c[0x0][0x210]", 1},
                          {"SHFL.IDX PT, R2, R1, RZ, 0x1f", 1},
                          {"LDG.E R4, desc[UR4][R2.64]", 1},
                          {"EXIT", 1}}),
            "A");
}

TEST(AddressSources, of_shared_memory_and_of_a_shuffle_of_it_are_loaded) {
  EXPECT_EQ(addresses_of({{"LDS R1, [R0]", 1},
                          {"SHFL.IDX PT, R2, R1, RZ, 0x1f", 1},
                          {"STG.E desc[UR4][R2.64], R9", 1},
                          {"MOV R2, R9", 1},
                          {"STG.E desc[UR4][R2.64], R1", 1},
                          {"EXIT", 1}}),
            "-LC")
      << "a register that is written anew is what it is written from";
}

TEST(AddressSources, a_guarded_write_may_leave_what_was_loaded) {
  EXPECT_EQ(addresses_of({{"LDG.E R2, desc[UR4][R6.64]", 1},
                          {"@P0 MOV R2, R9", 1},
                          {"STG.E desc[UR4][R2.64], R9", 1},
                          {"EXIT", 1}}),
            "AL");
}

// The list walk's first turn begins at a computed place, the others where the turn before led.
TEST(AddressSources, of_a_loop_as_any_of_its_turns_has_them) {
  EXPECT_EQ(addresses_of({{"MOV R2, R9", 1},
                          {"LDG.E R2, desc[UR4][R2.64]", 5},  // 0x10
                          {"ISETP.NE.AND P0, PT, R2, RZ, PT", 5},
                          {"@P0 BRA 0x10", 5},
                          {"EXIT", 1}}),
            "L");
}

// A table that each block reads, and what each has of its own; the place of the block may be in a
// uniform register.
TEST(AddressSources, of_a_blocks_own_depend_on_which_it_is) {
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

// A loop over tiles that every block walks begins at the same place; one that a block begins at its
// own does not.
TEST(AddressSources, of_a_loop_that_all_blocks_walk_are_common) {
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
  EXPECT_EQ(walk("S2R R2, SR_SMID"), "C") << "another SM's block has another";
}

}  // namespace
}  // namespace pnsim
