// What a texture fetch of the listing reads, and how many bytes of a texel.
#include <gtest/gtest.h>

#include "simulator/model/sass/line_access.h"

namespace pnsim {
namespace {

CodeLine line_of(const std::string& text) {
  CodeLine line;
  line.row.text = text;
  line.sass = parse_sass(text);
  return line;
}

TEST(TextureLine, HasTheDimensionsOfItsOperands) {
  const auto kind = [](const char* text) { return texture_kind(line_of(text)); };
  EXPECT_EQ(kind("TLD.LZ RZ, R13, R8, UR4, 0x0, 1D, 0x1"), TextureKind::kMemory);
  EXPECT_EQ(kind("TEX.LL RZ, R7, R2, R6, 0x0, 1D, 0x1"), TextureKind::k1d);
  EXPECT_EQ(kind("TEX.LL RZ, R7, R2, R6, 0x0, 2D, 0x1"), TextureKind::k2d);
  EXPECT_EQ(kind("@P0 TEX.SCR.LL RZ, R7, R2, UR4, 0x0, ARRAY_2D, 0xf"), TextureKind::k2d);
  EXPECT_EQ(kind("TEX.LL RZ, R7, R2, UR4, 0x0, 3D"), TextureKind::k3d);
  EXPECT_EQ(kind("TEX.LL RZ, R7, R2, R6, 0x0, CUBE, 0x1"), TextureKind::kCube);
  EXPECT_EQ(kind("LDG.E R2, desc[UR4][R2.64]"), TextureKind::kMemory);
  EXPECT_EQ(kind("TXQ R2, R4, TEX_HEADER_DIMENSION, 2D, 0x1"), TextureKind::kMemory);
}

TEST(TextureLine, HasTheBytesOfItsMask) {
  const auto bytes = [](const char* text) { return access_bytes(line_of(text)); };
  EXPECT_EQ(bytes("TLD.LZ RZ, R13, R8, UR4, 0x0, 1D, 0x1"), 4);
  EXPECT_EQ(bytes("TLD.LZ R8, R13, R8, UR4, 0x0, 1D, 0x3"), 8);
  EXPECT_EQ(bytes("TEX.LL R8, R7, R2, R6, 0x0, 2D, 0xf"), 16);
  EXPECT_EQ(bytes("TEX.LL R8, R7, R2, R6, 0x0, 2D, 0x5"), 8);
  EXPECT_EQ(bytes("TEX.LL R4, R6, R2, UR4, 0x0, 2D"), 16) << "all four words";
  EXPECT_EQ(bytes("LDG.E.128 R4, desc[UR4][R2.64]"), 16);
}

}  // namespace
}  // namespace pnsim
