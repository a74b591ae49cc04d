// Decomposes a linear system into independent parts.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/net/sparse_row.h"

namespace pnsim {

using Columns = std::vector<std::uint32_t>;

// The system in the form that the elimination solves. A net of replicated parts decomposes once the
// few shared rows and columns are set aside. Solving part by part avoids the product of the choices
// inside the parts: the work grows with the number of parts.
struct EliminationProblem {
  std::vector<SparseRow> rows;
  std::vector<std::uint32_t> origin;  // [row] the row of A that this row is (a piece of)
  std::vector<Columns> blocks;        // columns to clear, block after block
  std::uint32_t columns = 0;
};

// Cuts each shared row of A into one piece per block and adds columns that keep the pieces equal.
// The solutions of x^T A = 0 stay the same: every piece stands for its row.
EliminationProblem cut_into_blocks(std::vector<SparseRow> a, std::uint32_t columns);

}  // namespace pnsim
