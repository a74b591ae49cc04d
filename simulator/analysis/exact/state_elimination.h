// The equations of one strongly connected component of a chain, in floating point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "simulator/analysis/exact/iterative.h"

namespace pnsim {

// The equations, for i = 0 ... size-1:
//     leaving(i) x(i) = b(i) + sum over the edges of i: probability * x(target),
// where leaving(i) is the sum of the probabilities of its edges and of its exit.
//
// States with few neighbours are eliminated first. Their probabilities are added to those of their
// neighbours without subtraction, so no digits cancel (Grassmann, Taksar, Heyman, Operations
// Research 33, 1985). For long thin components (a buffer that fills and drains) this is enough.
// What remains is well connected, and an iterative solver converges fast on it.
class StateElimination {
 public:
  // The merges and iterations are taken from `work`, which must outlive the object.
  StateElimination(std::size_t size, DecimalWork& work)
      : work_(work), out_(size), in_(size), in_count_(size), exit_(size), done_(size) {}

  // Adds an edge of i. Targets must come in ascending order and differ from i (no self-loops).
  void add_edge(std::size_t i, std::size_t target, double probability);
  void add_exit(std::size_t i, double probability) { exit_[i] += probability; }

  // Returns x(i). Destroys the equations.
  std::vector<double> solve(std::vector<double> b);

 private:
  using Edges = std::vector<SparseChain::Edge>;  // by target

  DecimalWork& work_;

  // New neighbour pairs that eliminating i can make.
  std::size_t fill(std::size_t i) const { return in_count_[i] * out_[i].size(); }
  void offer(std::size_t i);
  double leaving(std::size_t i) const;
  void eliminate(std::size_t s, std::vector<double>& b);
  void bypass(std::size_t i, std::size_t s, std::vector<double>& b);
  std::vector<double> solve_rest(const std::vector<double>& b) const;

  std::vector<Edges> out_;                    // [i] edges to states not eliminated before i
  std::vector<std::vector<std::size_t>> in_;  // [i] sources of edges, eliminated ones included
  std::vector<std::size_t> in_count_;         // [i] sources that are not eliminated
  std::vector<double> exit_;                  // [i]
  std::vector<char> done_;                    // [i] eliminated
  using Candidate = std::pair<std::size_t, std::size_t>;  // fill, state; stale when fill differs
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace pnsim
