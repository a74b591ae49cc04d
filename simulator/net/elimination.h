// Integer solutions x of x^T A = 0 for a sparse matrix A. Invariants are such solutions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/sparse_row.h"

namespace pnsim {

struct EliminationLimits {
  // Entries read or written, a deterministic measure of time: 10^8 take about a second.
  std::uint64_t max_work = 50'000'000;
};

struct RowCombinations {
  std::vector<SparseRow> solutions;  // x by row of A, divided by the greatest common divisor
  // Why the result is incomplete (then there are no solutions); or "".
  std::string stopped;
  std::uint64_t work = 0;  // part of max_work that was used
};

// All x >= 0, x != 0 of minimal support. The algorithm is Farkas's, as a double description method.
// It clears one column after the other by adding every adjacent pair of rows of opposite sign.
// Sources: M. Silva, J. M. Colom, "On the computation of structural synchronic invariants in P/T
// nets", 1988; K. Fukuda, A. Prodon, "Double description method revisited", 1996. The number of
// solutions can be exponential, so the work is bounded.
RowCombinations minimal_nonnegative_solutions(std::vector<SparseRow> a, std::uint32_t columns,
                                              const EliminationLimits& limits = {});

// A basis of all rational solutions x, as integer vectors of any sign, by Gaussian elimination. Of
// x and -x it returns the vector whose first entry is positive.
RowCombinations solution_basis(std::vector<SparseRow> a, std::uint32_t columns,
                               const EliminationLimits& limits = {});

}  // namespace pnsim
