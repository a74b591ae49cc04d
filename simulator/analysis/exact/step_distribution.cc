#include "simulator/analysis/exact/step_distribution.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// About nanoseconds: of a candidate that is looked at, and of a set that is made with its fraction.
constexpr std::uint64_t kWorkOfCandidate = 20, kWorkOfSet = 500;

// Positions in Conflict::candidates, ascending.
using Positions = std::vector<std::uint32_t>;

// The sets of one size that can have fired so far, with their probabilities.
using Level = std::map<Positions, Rational>;

[[noreturn]] void fail_too_many_sets(const Net& net, TransitionId one_of, std::size_t max_sets) {
  fail_limit("net " + net.name() + ": one step can fire more than " + std::to_string(max_sets) +
             " different sets of transitions (\"" + net.name_of(one_of) +
             "\" is in one of its conflicts): too many for an exact result; estimate the "
             "steps with `pnsim run --replicas N`");
}

// The candidates that can still fire after `fired`: not in it, and with enough tokens left.
Positions remaining_after(const Positions& fired, const Net& net, const Conflict& conflict,
                          Marking& left) {
  const auto take = [&](Tokens sign) {
    for (const std::uint32_t at : fired) {
      for (const Arc& arc : net.inputs(conflict.candidates[at])) {
        left[arc.place.value] -= sign * arc.weight;
      }
    }
  };
  take(1);
  Positions remaining;
  for (std::uint32_t at = 0; at < conflict.candidates.size(); ++at) {
    if (std::binary_search(fired.begin(), fired.end(), at)) continue;
    const auto inputs = net.inputs(conflict.candidates[at]);
    const bool covered = std::all_of(inputs.begin(), inputs.end(), [&](const Arc& arc) {
      return left[arc.place.value] >= arc.weight;
    });
    if (covered) remaining.push_back(at);
  }
  take(-1);
  return remaining;
}

Positions with(const Positions& set, std::uint32_t at) {
  Positions out = set;
  out.insert(std::upper_bound(out.begin(), out.end(), at), at);
  return out;
}

FiredSet named(const Positions& set, const Rational& probability, const Conflict& conflict) {
  FiredSet out{probability, {}};
  for (const std::uint32_t at : set) out.fired.push_back(conflict.candidates[at]);
  return out;
}

}  // namespace

// The future depends only on which candidates have fired, not on the order of the draws. So the
// sets are built by increasing size, merging equal ones, instead of following every order.
std::vector<FiredSet> conflict_distribution(const Net& net, const Conflict& conflict,
                                            const Marking& marking, std::size_t max_sets,
                                            WorkBudget* budget) {
  std::vector<FiredSet> complete;
  Marking left = marking;
  Level level{{Positions{}, Rational(1)}};
  while (!level.empty()) {
    Level next;
    for (const auto& [fired, probability] : level) {
      const Positions remaining = remaining_after(fired, net, conflict, left);
      if (budget) {
        budget->spend(kWorkOfCandidate * conflict.candidates.size() +
                      kWorkOfSet * (remaining.size() + 1));
        if (budget->exhausted()) return complete;
      }
      if (remaining.empty()) complete.push_back(named(fired, probability, conflict));
      const Rational share = remaining.empty() ? Rational(0) : probability / remaining.size();
      for (const std::uint32_t at : remaining) next[with(fired, at)] += share;
      if (complete.size() + next.size() > max_sets) {
        fail_too_many_sets(net, conflict.candidates.front(), max_sets);
      }
    }
    level = std::move(next);
  }
  return complete;
}

std::vector<FiredSet> step_distribution(const Net& net, const StepPlan& plan,
                                        const Marking& marking, std::size_t max_sets,
                                        WorkBudget* budget) {
  std::vector<FiredSet> steps{{Rational(1), {plan.free().begin(), plan.free().end()}}};
  for (const Conflict& conflict : plan.conflicts()) {
    const auto sets = conflict_distribution(net, conflict, marking, max_sets, budget);
    if (budget && budget->exhausted()) return steps;
    if (steps.size() > max_sets / sets.size()) {
      fail_too_many_sets(net, conflict.candidates.front(), max_sets);
    }
    std::vector<FiredSet> combined;
    combined.reserve(steps.size() * sets.size());
    if (budget) budget->spend(kWorkOfSet * steps.size() * sets.size());
    for (const FiredSet& step : steps) {
      for (const FiredSet& set : sets) {
        FiredSet& both = combined.emplace_back(step);
        both.probability *= set.probability;
        both.fired.insert(both.fired.end(), set.fired.begin(), set.fired.end());
      }
    }
    steps = std::move(combined);
  }
  for (FiredSet& step : steps) std::sort(step.fired.begin(), step.fired.end());
  return steps;
}

}  // namespace pnsim
