// Shares of one count: ranges of blocks that move, and divisions within a block.
#include "simulator/model/derive/warp_table.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

std::vector<std::int64_t> shares_of_blocks(const WarpTable& table) {
  std::vector<std::int64_t> out;
  for (const BlockShares& range : table) {
    for (std::int64_t b = 0; b < range.blocks; ++b) out.push_back(range.warps[0]);
  }
  return out;
}

TEST(WarpTable, BlocksMoveToTheEndInTheirOrder) {
  const WarpTable table{{2, {1}}, {3, {2}}, {1, {3}}};
  for (const auto& [blocks, moved] :
       std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>{{0, {1, 1, 2, 2, 2, 3}},
                                                                       {1, {1, 2, 2, 2, 3, 1}},
                                                                       {4, {2, 3, 1, 1, 2, 2}},
                                                                       {6, {1, 1, 2, 2, 2, 3}}}) {
    WarpTable rotated = table;
    move_to_end(blocks, rotated);
    EXPECT_EQ(shares_of_blocks(rotated), moved) << blocks;
  }
}

TEST(WarpTable, ATotalIsDividedAmongThoseThatEnter) {
  EXPECT_EQ(within_block(3, 7, {1, 0, 2}).warps, (std::vector<std::int64_t>{4, 0, 3}));
  EXPECT_TRUE(is_idle(within_block(3, 0, {1, 0, 2})));
  EXPECT_FALSE(is_idle(within_block(3, 1, {1, 0, 2})));
}

TEST(WarpTable, PortionsFollowAnotherTotal) {
  const WarpTable outer{{1, {6, 0}}, {2, {1, 2}}};
  BlockPortions portions(8, outer);
  EXPECT_EQ(portions.next(outer[0]), 4);
  EXPECT_EQ(portions.next(outer[1]), 4);
}

}  // namespace
}  // namespace pnsim
