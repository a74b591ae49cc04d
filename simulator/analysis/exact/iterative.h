// An iterative solver for the large sparse systems of Markov chains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pnsim {

// The work that is left for all systems of one chain: about ten seconds each. It does not depend on
// the machine. When the merges are used up, the iteration does the rest; when its work is used up,
// each system still gets a hundred iterations, and the residual tells how good the result is.
struct DecimalWork {
  std::uint64_t merged_edges = 2'000'000'000;    // of eliminated states
  std::uint64_t iterated_edges = 2'000'000'000;  // edges times iterations
  // Called after each part of the work, for progress.
  std::function<void()> tell = [] {};
};

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
// converge on such systems, and then BiCGSTAB again. Takes its iterations from `work`.
// Returns the best x found; the caller checks its residual.
std::vector<double> solve_iteratively(const SparseChain& chain, const std::vector<double>& b,
                                      DecimalWork& work);

}  // namespace pnsim
