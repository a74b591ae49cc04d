// A linear system cut into the parts it falls into.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/net/sparse_row.h"

namespace pnsim {

using Columns = std::vector<std::uint32_t>;

// The system as it is solved. A net of replicated parts falls apart once the few rows and columns
// that all parts share are left aside, so it is solved part by part: choices inside the parts then
// do not multiply with each other on the way, and the work grows with the number of parts.
struct EliminationProblem {
  std::vector<SparseRow> rows;
  std::vector<std::uint32_t> origin;  // [row] the row of A it is (a piece of)
  std::vector<Columns> blocks;        // columns to clear, block after block
  std::uint32_t columns = 0;
};

// Cuts each shared row of A into pieces, one a block, with columns that hold the pieces equal:
// x^T A = 0 has the same solutions, every piece standing for its row.
EliminationProblem cut_into_blocks(std::vector<SparseRow> a, std::uint32_t columns);

}  // namespace pnsim
