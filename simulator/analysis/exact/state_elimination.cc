#include "simulator/analysis/exact/state_elimination.h"

#include <algorithm>

namespace pnsim {
namespace {

constexpr std::size_t kMaxFill = 100;  // states with a larger fill are left to the iterative solver

}  // namespace

void StateElimination::add_edge(std::size_t i, std::size_t target, double probability) {
  out_[i].push_back({target, probability});
  in_[target].push_back(i);
  ++in_count_[target];
}

void StateElimination::offer(std::size_t i) {
  if (fill(i) <= kMaxFill) candidates_.emplace(fill(i), i);
}

double StateElimination::leaving(std::size_t i) const {
  double sum = exit_[i];
  for (const SparseChain::Edge& edge : out_[i]) sum += edge.probability;
  return sum;
}

// Replaces the edge i -> s by edges from i to each successor of s.
void StateElimination::bypass(std::size_t i, std::size_t s, std::vector<double>& b) {
  const auto edge = std::lower_bound(
      out_[i].begin(), out_[i].end(), s,
      [](const SparseChain::Edge& e, std::size_t target) { return e.target < target; });
  const double factor = edge->probability / leaving(s);
  exit_[i] += factor * exit_[s];
  b[i] += factor * b[s];
  Edges merged;
  merged.reserve(out_[i].size() + out_[s].size());
  const std::uint64_t cost = out_[i].size() + out_[s].size();
  work_.merged_edges -= std::min(cost, work_.merged_edges);
  auto kept = out_[i].begin();
  const auto keep_below = [&](std::size_t target) {
    for (; kept != out_[i].end() && kept->target < target; ++kept) {
      if (kept->target != s) merged.push_back(*kept);
    }
  };
  for (const SparseChain::Edge& next : out_[s]) {
    keep_below(next.target);
    if (next.target == i) continue;  // a return to i is not a step of i
    const bool known = kept != out_[i].end() && kept->target == next.target;
    merged.push_back({next.target, factor * next.probability + (known ? kept->probability : 0)});
    if (known) {
      ++kept;
    } else {
      in_[next.target].push_back(i);
      ++in_count_[next.target];
    }
  }
  keep_below(out_.size());
  out_[i] = std::move(merged);
}

void StateElimination::eliminate(std::size_t s, std::vector<double>& b) {
  done_[s] = true;
  for (const std::size_t i : in_[s]) {
    if (!done_[i]) bypass(i, s, b);
  }
  for (const SparseChain::Edge& edge : out_[s]) --in_count_[edge.target];
  for (const std::size_t i : in_[s]) {
    if (!done_[i]) offer(i);
  }
  for (const SparseChain::Edge& edge : out_[s]) offer(edge.target);
}

// Solves for the states that were not eliminated, renumbered in their order.
std::vector<double> StateElimination::solve_rest(const std::vector<double>& b) const {
  std::vector<std::size_t> number(out_.size());
  std::vector<double> rest_b;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    number[i] = rest_b.size();
    if (!done_[i]) rest_b.push_back(b[i]);
  }
  SparseChain rest{{}, {}, {0}};
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (done_[i]) continue;
    rest.leaving.push_back(leaving(i));
    for (const auto& edge : out_[i]) rest.edges.push_back({number[edge.target], edge.probability});
    rest.start.push_back(rest.edges.size());
  }
  const std::vector<double> rest_x = solve_iteratively(rest, rest_b, work_);
  std::vector<double> x(out_.size());
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (!done_[i]) x[i] = rest_x[number[i]];
  }
  return x;
}

std::vector<double> StateElimination::solve(std::vector<double> b) {
  for (std::size_t i = 0; i < out_.size(); ++i) offer(i);
  std::vector<std::size_t> order;
  while (!candidates_.empty() && work_.merged_edges != 0) {
    const auto [promised, s] = candidates_.top();
    candidates_.pop();
    if (done_[s] || promised != fill(s)) continue;
    eliminate(s, b);
    work_.tell();
    order.push_back(s);
  }
  std::vector<double> x = solve_rest(b);
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t s = order[k];
    double sum = b[s];
    for (const SparseChain::Edge& edge : out_[s]) sum += edge.probability * x[edge.target];
    x[s] = sum / leaving(s);
  }
  return x;
}

}  // namespace pnsim
