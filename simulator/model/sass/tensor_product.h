// Products of matrices by the tensor cores, as their opcodes say them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pnsim {

// What one instruction adds to the tensor core of its scheduler. Kinds (docs/kernel_model.md):
// "mma_k16_bytes" and "mma_k32_bytes" (mma.sync, 16 x 8 x K, by the bytes of a row of A),
// "dmma_8x8x4" and "dmma_16x8x16" (double precision), "wgmma_columns" (a warp group's product
// 64 x N x 32 bytes: N columns for each of its four warps).
struct TensorProduct {
  std::string kind;  // "" for an opcode that is no product
  double count = 0;
  bool of_group = false;  // asynchronous: WARPGROUP.DEPBAR waits for it
  // From a product to one that adds to its result, in issue slots; 0 for a warp group's.
  std::int64_t latency_slots = 0;

  explicit operator bool() const { return !kind.empty(); }
};

// "HMMA.16816.F32.BF16" -> one "mma_k32_bytes". Products of single bits are not known.
TensorProduct tensor_product_of(std::string_view opcode);

}  // namespace pnsim
