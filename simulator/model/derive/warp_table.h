// The shares of one count of a launch that each warp of each block gets.
#pragma once

#include <cstdint>
#include <vector>

namespace pnsim {

// The shares of one total in neighbouring blocks that get the same.
struct BlockShares {
  std::int64_t blocks = 0;
  std::vector<std::int64_t> warps;  // [warp of the block]
};
using WarpTable = std::vector<BlockShares>;  // in the order of the launch's blocks

bool is_idle(const BlockShares& range);

// Moves so many blocks from the begin of the table, which has at least as many, to its end.
void move_to_end(std::int64_t blocks, WarpTable& table);

// Deals `total` to the entering warps of one block; the first ones get the rest of the division.
BlockShares within_block(std::int64_t blocks, std::int64_t total,
                         const std::vector<std::int64_t>& entering);

// Deals `total` to the warps of one block in proportion to their shares of another total.
BlockShares in_block_by_shares(std::int64_t blocks, std::int64_t total,
                               const std::vector<std::int64_t>& outer);

// Fills a block's warps up to `most` each; what then remains of `left` goes to the first warp.
BlockShares fill_block(std::int64_t blocks, std::int64_t left, std::vector<std::int64_t> most,
                       bool from_end);

// Portions of a total for ranges of blocks, one after the other, in proportion to what their warps
// have of another total.
class BlockPortions {
 public:
  BlockPortions(std::int64_t total, const WarpTable& outer);

  std::int64_t next(const BlockShares& range);

 private:
  std::int64_t total_, dealt_ = 0;
  double all_ = 0, before_ = 0;
};

}  // namespace pnsim
