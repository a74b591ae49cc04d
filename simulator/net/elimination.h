// Integer solutions x of x^T A = 0 for a sparse matrix A: what invariants are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/sparse_row.h"

namespace pnsim {

struct EliminationLimits {
  // Entries read or written, a deterministic stand-in for time: 10^8 take about a second.
  std::uint64_t max_work = 50'000'000;
};

struct RowCombinations {
  std::vector<SparseRow> solutions;  // x by row of A, divided by the greatest common divisor
  std::string stopped;               // why it is not complete (then there are no solutions); or ""
  std::uint64_t work = 0;            // spent of max_work
};

// All x >= 0, x != 0 of minimal support. The algorithm of Farkas in the form of the double
// description method: one column is cleared after the other, by adding every adjacent pair of rows
// of opposite sign (M. Silva, J. M. Colom, "On the computation of structural synchronic
// invariants in P/T nets", 1988; K. Fukuda, A. Prodon, "Double description method revisited",
// 1996). There may be exponentially many: the work is bounded.
RowCombinations minimal_nonnegative_solutions(std::vector<SparseRow> a, std::uint32_t columns,
                                              const EliminationLimits& limits = {});

// A basis of all x over the rationals, as integer vectors of any sign: Gaussian elimination. Of
// each x and -x the one whose first entry is positive.
RowCombinations solution_basis(std::vector<SparseRow> a, std::uint32_t columns,
                               const EliminationLimits& limits = {});

}  // namespace pnsim
