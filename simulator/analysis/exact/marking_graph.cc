#include "simulator/analysis/exact/marking_graph.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "simulator/analysis/exact/marking_table.h"
#include "simulator/analysis/exact/work_budget.h"
#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

// About nanoseconds: of a place or transition that is looked at, and of a step that is kept.
constexpr std::uint64_t kWorkOfNode = 5, kWorkOfStep = 1000;

class Explorer {
 public:
  Explorer(const Net& net, const ChainLimits& limits)
      : net_(net),
        limits_(limits),
        plan_(net),
        markings_(net.place_count()),
        budget_(limits.max_work) {}

  MarkingGraph explore() {
    markings_.number_of(net_.initial_marking());
    for (std::uint32_t m = 0; m < markings_.size(); ++m) {
      const Marking marking = markings_.marking(m);
      graph_.end.push_back(end_at(marking));
      if (graph_.end.back() == End::kNone) add_edges(marking);
      graph_.edge_start.push_back(graph_.edges.size());
      check_limits();
      if (limits_.tell) limits_.tell(m + 1, markings_.size());
    }
    return std::move(graph_);
  }

 private:
  // Leaves `plan_` examined at this marking unless the marking is the goal.
  End end_at(const Marking& marking) {
    if (net_.goal_holds(marking)) return End::kGoal;
    plan_.examine(marking);
    budget_.spend(kWorkOfNode * (net_.place_count() + net_.transition_count()));
    return plan_.enabled().empty() ? End::kDead : End::kNone;
  }

  // Different steps may lead to the same marking; their probabilities are added.
  void add_edges(const Marking& marking) {
    std::map<std::uint32_t, Rational> targets;
    const auto steps = step_distribution(net_, plan_, marking, limits_.max_sets, &budget_);
    budget_.spend(steps.size() * (kWorkOfStep + net_.place_count()));
    steps_ += steps.size();
    for (const FiredSet& step : steps) {
      Marking after = marking;
      apply_step(net_, step.fired, after);
      targets[markings_.number_of(after)] += step.probability;
    }
    for (const auto& [target, probability] : targets) {
      graph_.edges.push_back({target, position_of(probability)});
    }
  }

  std::uint32_t position_of(const Rational& probability) {
    const auto next = static_cast<std::uint32_t>(graph_.probabilities.size());
    const auto [it, added] = positions_.emplace(probability, next);
    if (added) graph_.probabilities.push_back(probability);
    return it->second;
  }

  void check_limits() const {
    if (markings_.size() > limits_.max_markings) {
      fail_beyond(std::to_string(limits_.max_markings) + " reachable markings");
    }
    if (budget_.exhausted()) {
      fail_beyond("the bound on the work, with " + std::to_string(markings_.size()) +
                  " markings found so far");
    }
    if (steps_ > limits_.max_steps) {
      fail_beyond(std::to_string(limits_.max_steps) + " different steps of its reachable markings");
    }
    if (markings_.bytes() > limits_.max_marking_bytes) {
      fail_beyond(std::to_string(limits_.max_marking_bytes) + " bytes of reachable markings");
    }
  }

  [[noreturn]] void fail_beyond(const std::string& bound) const {
    fail_limit("net " + net_.name() + ": more than " + bound +
               ": too many for an exact result; use smaller parameters, or estimate the steps "
               "with `pnsim run --replicas N`");
  }

  const Net& net_;
  const ChainLimits& limits_;
  StepPlan plan_;
  MarkingTable markings_;
  WorkBudget budget_;
  std::size_t steps_ = 0;
  MarkingGraph graph_;
  std::unordered_map<Rational, std::uint32_t> positions_;  // index in MarkingGraph::probabilities
};

}  // namespace

MarkingGraph explore(const Net& net, const ChainLimits& limits) {
  return Explorer(net, limits).explore();
}

}  // namespace pnsim
