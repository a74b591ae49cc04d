// `pnsim exact`: the exact expected number of steps of a net, from its absorbing Markov chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "simulator/analysis/exact/marking_graph.h"

namespace pnsim {

struct ExactOptions {
  ChainLimits limits;

  // Fractions are used while every strongly connected component has at most this many markings...
  std::size_t max_rational_component = 200;
  // ... and while their arithmetic costs at most this (about 10 s; see work_budget.h).
  std::uint64_t max_rational_work = 10'000'000'000;
};

// A number and how well it is known.
struct ExactNumber {
  std::optional<std::string> fraction;  // "917/36", "5"; nothing: only the decimal is known
  double decimal = 0;                   // the fraction rounded, or the result in floating point
  double error_bound = 0;               // |decimal - exact| is at most this; 0 with a fraction
};

struct ExactResult {
  // To the end, goal or dead. Nothing when some reachable marking can never end.
  std::optional<ExactNumber> expected_steps;
  // Probabilities of ending at the goal, of ending dead, and of never ending: they add up to 1.
  ExactNumber goal, dead, never;
  std::size_t markings = 0;           // reachable, the initial and the final ones included
  std::size_t largest_component = 0;  // markings in the largest strongly connected component
  bool rational = true;               // all numbers above have their fraction
  double residual = 0;                // largest residual of the decimal equations; 0 when rational
  std::string why_decimal;            // for people; empty when rational
};

// The chain over the reachable markings: one maximal step of the law each, ended by goal (looked
// at first) or dead. Draws are taken as uniform (the law: up to |R| / 2^32). The same input gives
// the same result on every machine: no clock decides. Error 5 beyond a limit of `options`, when a
// place would hold more than 2^62 tokens, or when not even a decimal can be told.
ExactResult exact_steps(const Net& net, const ExactOptions& options = {});

// The same for a chain that is already explored.
ExactResult exact_steps(const MarkingGraph& graph, const ExactOptions& options = {});

}  // namespace pnsim
