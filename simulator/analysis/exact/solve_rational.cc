#include "simulator/analysis/exact/solve_rational.h"

#include <utility>

#include "simulator/analysis/exact/chain_equations.h"
#include "simulator/analysis/exact/fraction_sum.h"

namespace pnsim {
namespace {

class RationalSolver {
 public:
  RationalSolver(const MarkingGraph& graph, const ChainComponents& components,
                 std::span<const Quantity> quantities, WorkBudget& budget)
      : graph_(graph),
        components_(components),
        quantities_(quantities),
        budget_(budget),
        values_(graph.size() * quantities.size()),
        place_in_component_(graph.size()) {}

  std::optional<std::vector<Rational>> solve() {
    for (std::uint32_t c = 0; c < components_.count() && !budget_.exhausted(); ++c) {
      if (!components_.can_end(c)) continue;  // all quantities are 0 there
      const auto members = components_.markings(c);
      if (graph_.end[members[0]] != End::kNone) {
        for (std::size_t q = 0; q < sides(); ++q) {
          value(members[0], q) = quantities_[q].value_at(graph_.end[members[0]]);
        }
      } else if (members.size() == 1) {
        solve_single(members[0]);
      } else {
        solve_component(members);
      }
    }
    if (budget_.exhausted()) return std::nullopt;
    return std::vector<Rational>(values_.begin(),
                                 values_.begin() + static_cast<std::ptrdiff_t>(sides()));
  }

 private:
  std::size_t sides() const { return quantities_.size(); }
  Rational& value(std::uint32_t m, std::size_t q) { return values_[m * sides() + q]; }

  // Solves by substitution: all successors are known, except the marking itself.
  void solve_single(std::uint32_t m) {
    const Integer scale = common_denominator(m);
    Integer leaving = scale;
    for (const ChainEdge& edge : graph_.edges_of(m)) {
      if (edge.target == m) leaving -= weight(edge, scale);
    }
    for (std::size_t q = 0; q < sides(); ++q) {
      value(m, q) = sum_outside(m, q, scale).divided_by(leaving);
    }
  }

  void solve_component(std::span<const std::uint32_t> members) {
    for (std::size_t i = 0; i < members.size(); ++i) place_in_component_[members[i]] = i;
    ChainEquations equations(members.size(), sides());
    for (std::size_t i = 0; i < members.size(); ++i) write_row(members[i], i, equations);
    auto solution = equations.solve(primes_, budget_);
    if (!solution) return;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t q = 0; q < sides(); ++q) {
        value(members[i], q) = std::move((*solution)[i * sides() + q]);
      }
    }
  }

  // Writes x(m) - (sum over the edges inside) = per_step + (sum over the edges that leave), times
  // the common denominator of the probabilities.
  void write_row(std::uint32_t m, std::size_t i, ChainEquations& equations) {
    const Integer scale = common_denominator(m);
    equations.coefficient(i, i) = scale;
    for (const ChainEdge& edge : graph_.edges_of(m)) {
      if (!is_inside(m, edge)) continue;
      equations.coefficient(i, place_in_component_[edge.target]) -= weight(edge, scale);
    }
    for (std::size_t q = 0; q < sides(); ++q) {
      equations.constant(i, q) = sum_outside(m, q, scale).divided_by(1);
    }
  }

  // Returns scale * (per_step + sum over the edges that leave the component of m).
  FractionSum sum_outside(std::uint32_t m, std::size_t q, const Integer& scale) {
    FractionSum sum(budget_);
    sum.add(scale, quantities_[q].per_step);
    for (const ChainEdge& edge : graph_.edges_of(m)) {
      if (!is_inside(m, edge)) sum.add(weight(edge, scale), value(edge.target, q));
    }
    return sum;
  }

  bool is_inside(std::uint32_t m, const ChainEdge& edge) const {
    return components_.of(m) == components_.of(edge.target);
  }

  Integer common_denominator(std::uint32_t m) const {
    Integer common = 1;
    for (const ChainEdge& edge : graph_.edges_of(m)) {
      common = lcm(common, denominator(graph_.probabilities[edge.probability]));
    }
    return common;
  }

  // Returns probability * scale, where scale is a multiple of the denominator.
  Integer weight(const ChainEdge& edge, const Integer& scale) const {
    const Rational& probability = graph_.probabilities[edge.probability];
    return numerator(probability) * (scale / denominator(probability));
  }

  const MarkingGraph& graph_;
  const ChainComponents& components_;
  std::span<const Quantity> quantities_;
  WorkBudget& budget_;
  PrimeSequence primes_;
  std::vector<Rational> values_;                 // [marking * sides + quantity]
  std::vector<std::size_t> place_in_component_;  // [marking] of the current component
};

}  // namespace

std::optional<std::vector<Rational>> solve_rational(const MarkingGraph& graph,
                                                    const ChainComponents& components,
                                                    std::span<const Quantity> quantities,
                                                    WorkBudget& budget) {
  return RationalSolver(graph, components, quantities, budget).solve();
}

}  // namespace pnsim
