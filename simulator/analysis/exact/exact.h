// `pnsim exact`: the exact expected number of steps of a net, from its absorbing Markov chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "simulator/analysis/exact/iterative.h"
#include "simulator/analysis/exact/marking_graph.h"

namespace pnsim {

struct ExactOptions {
  ChainLimits limits;

  // Exact fractions are used while no strongly connected component has more markings than this ...
  std::size_t max_rational_component = 200;
  // ... and while their arithmetic costs no more than this (about 10 s; see work_budget.h).
  std::uint64_t max_rational_work = 10'000'000'000;

  DecimalWork decimal = {};  // for all equations in floating point together
};

// A number and its accuracy.
struct ExactNumber {
  std::optional<std::string> fraction;  // "917/36", "5"; absent when only the decimal is known
  double decimal = 0;                   // the rounded fraction, or a floating-point result
  double error_bound = 0;               // |decimal - exact| <= error_bound; 0 with a fraction
};

struct ExactResult {
  // Steps to the end, goal or dead. Absent when no end can be reached from some reachable marking.
  std::optional<ExactNumber> expected_steps;
  // Probabilities of ending at the goal, of ending dead and of never ending. Their sum is 1.
  ExactNumber goal, dead, never;
  std::size_t markings = 0;           // reachable markings, the initial and the final ones included
  std::size_t largest_component = 0;  // markings in the largest strongly connected component
  bool rational = true;               // all numbers above have a fraction
  double residual = 0;                // largest residual of the decimal equations; 0 when rational
  std::string why_decimal;            // why there are no fractions; empty when rational
};

// Analyses the chain over the reachable markings. Each edge is one maximal step of the law. A
// marking ends the chain when it is the goal (checked first) or dead. Draws are treated as uniform
// (the law's are uniform up to |R| / 2^32). The limits count work, not time, so one input gives one
// result on every machine. Throws error 5 beyond a limit of `options`, when a place would hold more
// than 2^62 tokens, or when not even one decimal digit is certain.
ExactResult exact_steps(const Net& net, const ExactOptions& options = {});

// The same for a marking graph that is already explored.
ExactResult exact_steps(const MarkingGraph& graph, const ExactOptions& options = {});

}  // namespace pnsim
