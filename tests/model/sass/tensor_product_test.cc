#include "simulator/model/sass/tensor_product.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

std::string text_of_product(std::string_view opcode) {
  const TensorProduct product = tensor_product_of(opcode);
  return product.kind + " " + std::to_string(static_cast<int>(8 * product.count)) + "/8 " +
         std::to_string(product.latency_slots) + (product.of_group ? " group" : "");
}

TEST(TensorProduct, RowsOfAHaveBytesByTypeAndShape) {
  EXPECT_EQ(text_of_product("HMMA.16816.F32.BF16"), "mma_k32_bytes 8/8 24");
  EXPECT_EQ(text_of_product("HMMA.16816.F16"), "mma_k32_bytes 8/8 24");
  EXPECT_EQ(text_of_product("HMMA.1688.F32"), "mma_k16_bytes 8/8 17");
  EXPECT_EQ(text_of_product("HMMA.1688.F32.TF32"), "mma_k32_bytes 8/8 24");
  EXPECT_EQ(text_of_product("HMMA.1684.F32.TF32"), "mma_k16_bytes 8/8 17");
  EXPECT_EQ(text_of_product("IMMA.16816.S8.S8.SAT"), "mma_k16_bytes 8/8 17");
  EXPECT_EQ(text_of_product("IMMA.16832.S8.S8"), "mma_k32_bytes 8/8 24");
  EXPECT_EQ(text_of_product("QMMA.16832.F32.E4M3.E4M3"), "mma_k32_bytes 8/8 24");
}

TEST(TensorProduct, DoublePrecisionAndWarpGroups) {
  EXPECT_EQ(text_of_product("DMMA.8x8x4"), "dmma_8x8x4 8/8 26");
  EXPECT_EQ(text_of_product("DMMA.16x8x16"), "dmma_16x8x16 8/8 82");
  EXPECT_EQ(text_of_product("DMMA.16x8x8"), "dmma_16x8x16 4/8 82");
  EXPECT_EQ(text_of_product("HGMMA.64x128x16.F32.BF16"), "wgmma_columns 1024/8 0 group");
  EXPECT_EQ(text_of_product("QGMMA.64x256x32.F32.E4M3.E4M3"), "wgmma_columns 2048/8 0 group");
}

TEST(TensorProduct, OtherOpcodesAreNone) {
  for (const char* opcode :
       {"FFMA", "HMMA", "HMMA.F32", "HMMA.16.F32", "HGMMA.64x.F32", "LDSM.16.M88.4",
        "HMMA.99999999999999999999", "DMMA.0x0x0", "BMMA.168128.XOR", ""}) {
    EXPECT_FALSE(tensor_product_of(opcode)) << opcode;
  }
}

}  // namespace
}  // namespace pnsim
