// Chains written row by row, without a net.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "simulator/analysis/exact/marking_graph.h"

namespace pnsim::test {

class ChainRows {
 public:
  // `markings` markings. The last one is dead; the one before it is a goal if `with_goal`.
  explicit ChainRows(std::uint32_t markings, bool with_goal = false)
      : rows_(markings), end_(markings, End::kNone) {
    end_[markings - 1] = End::kDead;
    if (with_goal) end_[markings - 2] = End::kGoal;
  }

  std::uint32_t dead() const { return static_cast<std::uint32_t>(rows_.size() - 1); }
  void set_end(std::uint32_t marking, End end) { end_[marking] = end; }

  void add(std::uint32_t from, std::uint32_t to, const Rational& probability) {
    rows_[from][to] += probability;
  }

  MarkingGraph graph() const {
    MarkingGraph graph;
    graph.end = end_;
    std::map<Rational, std::uint32_t> position;
    for (const auto& row : rows_) {
      for (const auto& [target, probability] : row) {
        const auto next = static_cast<std::uint32_t>(position.size());
        const auto [it, added] = position.emplace(probability, next);
        if (added) graph.probabilities.push_back(probability);
        graph.edges.push_back({target, it->second});
      }
      graph.edge_start.push_back(graph.edges.size());
    }
    return graph;
  }

 private:
  std::vector<std::map<std::uint32_t, Rational>> rows_;
  std::vector<End> end_;
};

// States 0 ... n-1, then dead. From k, one up with probability `up`, otherwise one down; from 0
// always up. With up = 1/2 the expected steps from 0 are n^2.
inline ChainRows walk(std::uint32_t n, const Rational& up) {
  ChainRows rows(n + 1);
  rows.add(0, 1, 1);
  for (std::uint32_t k = 1; k < n; ++k) {
    rows.add(k, k + 1, up);
    rows.add(k, k - 1, 1 - up);
  }
  return rows;
}

// Heads go one up, tails go back to 0; n heads in a row end the chain: 2^(n+1) - 2 expected steps.
inline ChainRows heads_in_a_row(std::uint32_t n) {
  ChainRows rows(n + 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    rows.add(k, k + 1, Rational(1, 2));
    rows.add(k, 0, Rational(1, 2));
  }
  return rows;
}

// One component of n states with `degree` random steps from each. Only state 0 leaves it: with
// probability 1/8 to the goal and 1/16 to the dead end.
inline ChainRows random_component(std::uint32_t n, std::uint32_t degree, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ChainRows rows(n + 2, true);
  for (std::uint32_t k = 0; k < n; ++k) {
    const Rational left = k == 0 ? Rational(13, 16) : Rational(1);
    if (k == 0) rows.add(k, n, Rational(1, 8));
    if (k == 0) rows.add(k, n + 1, Rational(1, 16));
    rows.add(k, (k + 1) % n, left / degree);
    for (std::uint32_t d = 1; d < degree; ++d) {
      rows.add(k, static_cast<std::uint32_t>(random() % n), left / degree);
    }
  }
  return rows;
}

// Heads (1/3) go two up, tails one up. There is no cycle, and the fractions grow with every step.
inline ChainRows one_or_two_up(std::uint32_t n) {
  ChainRows rows(n + 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    rows.add(k, k + 1, Rational(2, 3));
    rows.add(k, std::min(n, k + 2), Rational(1, 3));
  }
  return rows;
}

}  // namespace pnsim::test
