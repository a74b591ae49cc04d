// An iterative solver for the large sparse systems of Markov chains.
#pragma once

#include <cstddef>
#include <vector>

namespace pnsim {

// For i = 0 ... size()-1:  leaving[i] x(i) = b(i) + sum over its edges: probability * x(target),
// with leaving[i] at least the sum of its edges' probabilities, and more than that somewhere.
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

// Restarts of BiCGSTAB (H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), preconditioned
// by a sweep of Gauss-Seidel, for as long as each halves the largest residual, down to rounding;
// where one fails to, plain sweeps, which always make headway on such systems, and again. At most
// `max_iterations` in all. Returns the best x met; how good it is, the caller checks.
std::vector<double> solve_iteratively(const SparseChain& chain, const std::vector<double>& b,
                                      std::size_t max_iterations);

}  // namespace pnsim
