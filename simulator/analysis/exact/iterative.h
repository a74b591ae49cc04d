// An iterative solver for the large sparse systems of Markov chains.
#pragma once

#include <cstddef>
#include <vector>

namespace pnsim {

// The equations, for i = 0 ... size()-1:
//     leaving[i] x(i) = b(i) + sum over the edges of i: probability * x(target).
// leaving[i] is at least the sum of the probabilities of its edges, and larger for some i.
struct SparseChain {
  struct Edge {
    std::size_t target;  // not i itself
    double probability;
  };
  std::vector<double> leaving;  // [i] > 0
  std::vector<Edge> edges;
  std::vector<std::size_t> start;  // of i: edges[start[i], start[i + 1])

  std::size_t size() const { return leaving.size(); }
};

// Solves the equations by restarted BiCGSTAB (H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13,
// 1992), preconditioned by a Gauss-Seidel sweep. It restarts as long as each run halves the largest
// residual, down to rounding. When a run fails to, plain Gauss-Seidel sweeps follow, which always
// converge on such systems, and then BiCGSTAB again. Uses at most `max_iterations` iterations.
// Returns the best x found; the caller checks its residual.
std::vector<double> solve_iteratively(const SparseChain& chain, const std::vector<double>& b,
                                      std::size_t max_iterations);

}  // namespace pnsim
