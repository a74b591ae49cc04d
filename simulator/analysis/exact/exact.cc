#include "simulator/analysis/exact/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "simulator/analysis/exact/absorption.h"
#include "simulator/analysis/exact/solve_decimal.h"
#include "simulator/analysis/exact/solve_rational.h"

namespace pnsim {
namespace {

ExactNumber exact_number(const Rational& value) {
  return {value.str(), value.convert_to<double>(), 0};
}

bool some_marking_ends(const MarkingGraph& graph, End end) {
  return std::find(graph.end.begin(), graph.end.end(), end) != graph.end.end();
}

// Which numbers need the equations. The others follow from these and from the shape of the chain.
struct Questions {
  bool steps, goal, dead;

  Questions(const MarkingGraph& graph, const ChainComponents& components) {
    const bool goal_ends = some_marking_ends(graph, End::kGoal);
    const bool dead_ends = some_marking_ends(graph, End::kDead);
    steps = components.all_can_end();
    goal = goal_ends && (dead_ends || !steps);
    dead = dead_ends && !steps;
  }

  std::vector<Quantity> quantities() const {
    std::vector<Quantity> out;
    if (steps) out.push_back(kSteps);
    if (goal) out.push_back(kEndsAtGoal);
    if (dead) out.push_back(kEndsDead);
    return out;
  }
};

// 1 - a - b
ExactNumber complement(const ExactNumber& a, const ExactNumber& b) {
  if (a.fraction && b.fraction) {
    return exact_number(Rational(1) - Rational(*a.fraction) - Rational(*b.fraction));
  }
  const double rounding = 2 * std::numeric_limits<double>::epsilon();
  return {std::nullopt, std::clamp(1 - a.decimal - b.decimal, 0.0, 1.0),
          a.error_bound + b.error_bound + rounding};
}

// `values` are those of questions.quantities(), in the same order.
void write_answers(const MarkingGraph& graph, const Questions& questions,
                   std::span<const ExactNumber> values, ExactResult& result) {
  const ExactNumber zero = exact_number(0);
  const bool goal_ends = some_marking_ends(graph, End::kGoal);
  auto next = values.begin();
  if (questions.steps) result.expected_steps = *next++;
  result.goal = questions.goal ? *next++ : exact_number(goal_ends ? 1 : 0);
  result.dead = questions.dead ? *next++ : zero;
  if (questions.steps) result.dead = complement(result.goal, zero);
  result.never = questions.steps ? zero : complement(result.goal, result.dead);
}

std::optional<std::vector<ExactNumber>> rational_values(const MarkingGraph& graph,
                                                        const ChainComponents& components,
                                                        std::span<const Quantity> quantities,
                                                        const ExactOptions& options,
                                                        std::string& why_not) {
  if (components.largest() > options.max_rational_component) {
    why_not = "a strongly connected component of " + std::to_string(components.largest()) +
              " markings, over " + std::to_string(options.max_rational_component);
    return std::nullopt;
  }
  WorkBudget budget(options.max_rational_work);
  const auto values = solve_rational(graph, components, quantities, budget);
  if (!values) {
    why_not = "the fractions grow beyond the bound on the work";
    return std::nullopt;
  }
  std::vector<ExactNumber> out;
  for (const Rational& value : *values) out.push_back(exact_number(value));
  return out;
}

std::vector<ExactNumber> decimal_values(const MarkingGraph& graph,
                                        const ChainComponents& components,
                                        std::span<const Quantity> quantities,
                                        const DecimalWork& work, double& residual) {
  std::vector<ExactNumber> out;
  for (const DecimalValue& value : solve_decimal(graph, components, quantities, work)) {
    out.push_back({std::nullopt, value.value, value.error_bound});
    residual = std::max(residual, value.residual);
  }
  return out;
}

}  // namespace

ExactResult exact_steps(const MarkingGraph& graph, const ExactOptions& options) {
  const ChainComponents components(graph);
  const Questions questions(graph, components);
  const std::vector<Quantity> quantities = questions.quantities();
  ExactResult result;
  result.markings = graph.size();
  result.largest_component = components.largest();
  auto values = rational_values(graph, components, quantities, options, result.why_decimal);
  result.rational = values.has_value();
  if (!values)
    values = decimal_values(graph, components, quantities, options.decimal, result.residual);
  write_answers(graph, questions, *values, result);
  return result;
}

ExactResult exact_steps(const Net& net, const ExactOptions& options) {
  return exact_steps(explore(net, options.limits), options);
}

}  // namespace pnsim
