#include "simulator/model/derive/requested_sectors.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

LoadRequest load_at(std::size_t place, std::int64_t bytes, double sectors, double lanes = 32) {
  return {.place = place, .bytes = bytes, .sectors = sectors, .lanes = lanes};
}

TEST(RequestedSectors, AddressesAreRegistersAndAnOffset) {
  EXPECT_EQ(address_of("LDG.E R4, desc[UR4][R2.64+-0x10]").registers, "R2.64+");
  EXPECT_EQ(address_of("LDG.E R4, desc[UR4][R2.64+-0x10]").offset, -16);
  EXPECT_EQ(address_of("LDG.E R6, R7").registers, "");
}

// 32 contiguous words that start at a sector: a load with a larger offset needs one sector more.
TEST(RequestedSectors, NeighboursRequestOneSectorMore) {
  RequestedSectors requested;
  requested.load("LDG.E R4, desc[UR4][R2.64]", load_at(0, 4, 4));
  requested.load("LDG.E R5, desc[UR4][R2.64+0x4]", load_at(1, 4, 5));
  requested.load("LDG.E R6, desc[UR4][R2.64+0x8]", load_at(2, 4, 5));
  requested.load("LDG.E R7, desc[UR4][R2.64+0x200]", load_at(3, 4, 4));
  const std::vector<double> shares = requested.new_shares(5);
  EXPECT_EQ(shares[0], 1);
  EXPECT_EQ(shares[1], 0.2);
  EXPECT_EQ(shares[2], 0) << "the sector of the load before";
  EXPECT_EQ(shares[3], 1) << "far away";
  EXPECT_EQ(shares[4], 1) << "no load";
}

// Two rows of 16 words, as of a block of 16 x 16: three words to the left, and on to the right.
TEST(RequestedSectors, RowsOfATileRequestSectorsAtBothEnds) {
  RequestedSectors requested;
  for (int k = -3; k <= 3; ++k) {
    const std::string offset =
        k < 0 ? "+-0x" + std::to_string(-4 * k) : "+0x" + std::to_string(4 * k);
    const std::string at = k == -3 ? "+-0xc" : k == 3 ? "+0xc" : k == 0 ? "" : offset;
    requested.load("LDG.E R4, desc[UR4][R2.64" + at + "]",
                   load_at(static_cast<std::size_t>(k + 3), 4, k == 0 ? 3.97 : 5.74, 31));
  }
  const std::vector<double> shares = requested.new_shares(7);
  EXPECT_EQ(shares[0], 1);
  for (const std::size_t place : {1u, 2u, 3u, 5u, 6u}) EXPECT_EQ(shares[place], 0) << place;
  EXPECT_DOUBLE_EQ(shares[4], 1.0 / 3);
}

// All lanes read the same 16 bytes, as of a table of bodies: two such entries share a sector.
TEST(RequestedSectors, QuadsOfABroadcastShareASector) {
  RequestedSectors requested;
  requested.load("LDG.E.128 R4, desc[UR4][R2.64]", load_at(0, 16, 1));
  requested.load("LDG.E.128 R8, desc[UR4][R2.64+0x10]", load_at(1, 16, 1));
  requested.load("LDG.E.128 R12, desc[UR4][R2.64+0x20]", load_at(2, 16, 1));
  EXPECT_EQ(requested.new_shares(3), (std::vector<double>{1, 0, 1}));
}

TEST(RequestedSectors, HugeOffsetsAreBounded) {
  RequestedSectors requested;
  const std::string far = "+0x7fffffffffffffff+0x7fffffffffffffff]";
  requested.load("LDG.E R3, desc[UR4][R2.64" + far, load_at(0, 4, 4));
  requested.load("LDG.E R3, desc[UR4][R2.64+-0x7fffffffffffffff]", load_at(1, 4, 4));
  EXPECT_EQ(requested.new_shares(2), (std::vector<double>{1, 1}));
  EXPECT_EQ(address_of("LDG.E R3, desc[UR4][R2.64" + far).offset, std::int64_t{1} << 40);
}

TEST(RequestedSectors, WithoutAPatternTheDistanceDecides) {
  RequestedSectors requested;
  requested.load("LDG.E R4, desc[UR4][R2.64]", load_at(0, 4, 11));
  requested.load("LDG.E R5, desc[UR4][R2.64+0x20]", load_at(1, 4, 11));
  EXPECT_DOUBLE_EQ(requested.new_shares(2)[1], 1.0 / 11);
}

TEST(RequestedSectors, WritesToRegistersEndTheirGroup) {
  RequestedSectors requested;
  requested.load("LDG.E R4, desc[UR4][R2.64]", load_at(0, 4, 4));
  requested.load("LDG.E R5, desc[UR4][R8.64]", load_at(1, 4, 4));
  requested.write(parse_sass("IADD3 R3, R3, R1, RZ"));  // of the pair R2
  requested.load("LDG.E R6, desc[UR4][R2.64]", load_at(2, 4, 4));
  requested.load("LDG.E R6, desc[UR4][R8.64]", load_at(3, 4, 4));
  EXPECT_EQ(requested.new_shares(4), (std::vector<double>{1, 1, 1, 0}));
}

TEST(RequestedSectors, SectorsWithoutAPatternHaveNoRows) {
  EXPECT_EQ(pattern_of({}).rows, 0);
  EXPECT_EQ(pattern_of({load_at(0, 4, 100)}).rows, 0);
  EXPECT_EQ(pattern_of({load_at(0, 4, 0)}).rows, 0);
  EXPECT_EQ(pattern_of({load_at(0, 64, 2)}).rows, 0);
  EXPECT_EQ(pattern_of({load_at(0, 4, 32)}).rows, 32);
}

}  // namespace
}  // namespace pnsim
