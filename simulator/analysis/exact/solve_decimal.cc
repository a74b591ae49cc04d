#include "simulator/analysis/exact/solve_decimal.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "simulator/analysis/exact/state_elimination.h"
#include "simulator/base/error.h"

namespace pnsim {
namespace {

using Vector = std::vector<double>;

// Largest residual of the steps. Beyond it their relative error may exceed about 1 %.
constexpr double kMaxStepsResidual = 0.01;

class DecimalSolver {
 public:
  DecimalSolver(const MarkingGraph& graph, const ChainComponents& components, DecimalWork& work)
      : graph_(graph), components_(components), work_(work), place_in_component_(graph.size()) {
    for (const Rational& p : graph.probabilities) probability_.push_back(p.convert_to<double>());
  }

  // Returns x of each marking.
  Vector solve(const Quantity& quantity) {
    Vector x(graph_.size());
    for (std::uint32_t c = 0; c < components_.count(); ++c) {
      if (!components_.can_end(c)) continue;
      const auto members = components_.markings(c);
      if (graph_.end[members[0]] != End::kNone) {
        x[members[0]] = quantity.value_at(graph_.end[members[0]]);
      } else {
        solve_component(members, quantity, x);
      }
    }
    return x;
  }

  // The largest |per_step + sum p x - x|, plus the possible rounding error: each product and each
  // sum of a row, and each probability as a double, has a relative error below one epsilon.
  double residual(const Quantity& quantity, const Vector& x) const {
    double largest = 0;
    for (std::uint32_t m = 0; m < graph_.size(); ++m) {
      if (graph_.end[m] != End::kNone || !components_.can_end(components_.of(m))) continue;
      double sum = quantity.per_step - x[m];
      double size = quantity.per_step + std::abs(x[m]);
      for (const ChainEdge& edge : graph_.edges_of(m)) {
        sum += probability_[edge.probability] * x[edge.target];
        size += probability_[edge.probability] * std::abs(x[edge.target]);
      }
      const double roundings = static_cast<double>(graph_.edges_of(m).size() + 4);
      const double slack = roundings * std::numeric_limits<double>::epsilon() * size;
      // Unlike std::max this also catches a value that is not a number.
      if (!(std::abs(sum) + slack <= largest)) largest = std::abs(sum) + slack;
    }
    return largest;
  }

 private:
  void solve_component(std::span<const std::uint32_t> members, const Quantity& quantity,
                       Vector& x) {
    for (std::size_t i = 0; i < members.size(); ++i) place_in_component_[members[i]] = i;
    StateElimination states(members.size(), work_);
    Vector b(members.size(), quantity.per_step);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const ChainEdge& edge : graph_.edges_of(members[i])) {
        const double p = probability_[edge.probability];
        if (components_.of(edge.target) != components_.of(members[i])) {
          states.add_exit(i, p);
          b[i] += p * x[edge.target];
        } else if (edge.target != members[i]) {
          states.add_edge(i, place_in_component_[edge.target], p);
        }
      }
    }
    const Vector solution = states.solve(std::move(b));
    for (std::size_t i = 0; i < members.size(); ++i) x[members[i]] = solution[i];
  }

  const MarkingGraph& graph_;
  const ChainComponents& components_;
  DecimalWork& work_;
  Vector probability_;                           // [index in graph_.probabilities]
  std::vector<std::size_t> place_in_component_;  // [marking] of the current component
};

}  // namespace

std::vector<DecimalValue> solve_decimal(const MarkingGraph& graph,
                                        const ChainComponents& components,
                                        std::span<const Quantity> quantities, DecimalWork work) {
  DecimalSolver solver(graph, components, work);
  const Vector steps = solver.solve(kSteps);
  const double steps_residual = solver.residual(kSteps, steps);
  if (!(steps_residual < kMaxStepsResidual)) {
    fail_limit("the chain of " + std::to_string(graph.size()) +
               " markings takes so many steps to end that floating point cannot tell how many, "
               "not even to 1 %; use smaller parameters, or estimate the steps with "
               "`pnsim run --replicas N`");
  }
  std::vector<DecimalValue> out;
  for (const Quantity& quantity : quantities) {
    const Vector x = quantity == kSteps ? steps : solver.solve(quantity);
    const double residual = solver.residual(quantity, x);
    out.push_back({x[0], residual * steps[0] / (1 - steps_residual), residual});
  }
  return out;
}

}  // namespace pnsim
