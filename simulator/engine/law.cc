#include "simulator/engine/law.h"

#include <algorithm>

namespace pnsim {
namespace {

constexpr std::uint64_t kSaturated = std::uint64_t{1} << 63;  // more than any place can hold

}  // namespace

StepPlan::StepPlan(const Net& net)
    : net_(net),
      wanted_(net.place_count()),
      contested_(net.place_count()),
      parent_(net.place_count()),
      conflict_of_(net.place_count(), kNone),
      left_(net.place_count()) {}

void StepPlan::add_conditions() {
  constexpr std::uint64_t kAnyNumber = std::uint64_t{1} << 63;
  // The number of tokens by which a condition holds at M0; -1 when it fails there.
  const auto slack = [&](const Condition& c) {
    const Tokens tokens = net_.initial_marking()[c.place.value];
    return holds(c, net_.initial_marking().data()) ? tokens - static_cast<Tokens>(c.min) : -1;
  };
  condition_start_ = {0};
  std::vector<Condition> of_t;
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    of_t.clear();
    for (const Arc& arc : net_.inputs(TransitionId{t})) {
      of_t.push_back({arc.place, static_cast<std::uint64_t>(arc.weight), kAnyNumber});
    }
    for (const PlaceId p : net_.inhibitors(TransitionId{t})) of_t.push_back({p, 0, 0});
    if (of_t.empty()) of_t.push_back({PlaceId{0}, 0, kAnyNumber});  // always holds
    // Testing the condition that fails most often first ends most checks early. M0 is a good
    // estimate of which one that is.
    std::stable_sort(of_t.begin(), of_t.end(),
                     [&](const Condition& a, const Condition& b) { return slack(a) < slack(b); });
    first_condition_.push_back(of_t.front());
    conditions_.insert(conditions_.end(), of_t.begin() + 1, of_t.end());
    condition_start_.push_back(static_cast<std::uint32_t>(conditions_.size()));
  }
}

void StepPlan::examine(const Marking& marking) {
  if (condition_start_.empty()) add_conditions();
  find_enabled(marking);
  find_conflicts(marking);
}

void StepPlan::examine(const Marking& marking, std::span<const TransitionId> enabled) {
  examine(marking, enabled, {PlaceId{0}, 0});
}

void StepPlan::examine(const Marking& marking, std::span<const TransitionId> enabled,
                       CrowdNeed crowd) {
  enabled_.assign(enabled.begin(), enabled.end());
  find_conflicts(marking, crowd);
}

void StepPlan::find_conflicts(const Marking& marking, CrowdNeed crowd) {
  conflict_count_ = 0;
  if (find_contested(marking, crowd)) collect_conflicts();
}

bool StepPlan::is_about(const Conflict& conflict, PlaceId p) const {
  const auto takes_from_p = [&](TransitionId t) {
    const auto inputs = net_.inputs(t);
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Arc& arc) { return arc.place == p; });
  };
  return is_contested(p) &&
         std::any_of(conflict.candidates.begin(), conflict.candidates.end(), takes_from_p);
}

void StepPlan::find_enabled(const Marking& marking) {
  enabled_.clear();
  // The hot loop of the reference engine: it keeps everything it reads in local variables.
  static constexpr Tokens kNothing = 0;  // for a net without places
  const Tokens* const tokens = marking.empty() ? &kNothing : marking.data();
  const Condition* const first = first_condition_.data();
  const Condition* const conditions = conditions_.data();
  const std::uint32_t* const start = condition_start_.data();
  const auto count = static_cast<std::uint32_t>(net_.transition_count());
  for (std::uint32_t t = 0; t < count; ++t) {
    if (!holds(first[t], tokens)) continue;  // most transitions end here
    const Condition* condition = conditions + start[t];
    const Condition* const end = conditions + start[t + 1];
    while (condition != end && holds(*condition, tokens)) ++condition;
    if (condition == end) enabled_.push_back(TransitionId{t});
  }
}

bool StepPlan::find_contested(const Marking& marking, CrowdNeed crowd) {
  for (const PlaceId p : wanted_places_) {
    wanted_[p.value] = 0;
    contested_[p.value] = false;
  }
  wanted_places_.clear();
  if (crowd.tokens != 0) {
    wanted_[crowd.place.value] = crowd.tokens;
    wanted_places_.push_back(crowd.place);
  } else if (enabled_.size() < 2) {
    return false;  // M covers the need of a single transition
  }
  for (const TransitionId t : enabled_) {
    for (const Arc& arc : net_.inputs(t)) {
      std::uint64_t& wanted = wanted_[arc.place.value];
      if (wanted == 0) wanted_places_.push_back(arc.place);
      wanted = std::min(wanted + static_cast<std::uint64_t>(arc.weight), kSaturated);
    }
  }
  bool any = false;
  for (const PlaceId p : wanted_places_) {
    if (wanted_[p.value] <= static_cast<std::uint64_t>(marking[p.value])) continue;
    contested_[p.value] = any = true;
    parent_[p.value] = p.value;
  }
  return any;
}

std::uint32_t StepPlan::root_of(std::uint32_t place) {
  while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
  return place;
}

// Links the contested inputs of t. The lowest place of a component is its root.
std::uint32_t StepPlan::link_contested_inputs(TransitionId t) {
  std::uint32_t root = kNone;
  for (const Arc& arc : net_.inputs(t)) {
    if (!contested_[arc.place.value]) continue;
    const std::uint32_t other = root_of(arc.place.value);
    if (root == kNone) {
      root = other;
    } else {
      parent_[std::max(root, other)] = std::min(root, other);
      root = std::min(root, other);
    }
  }
  return root;
}

Conflict& StepPlan::conflict_with_root(std::uint32_t root) {
  if (conflict_of_[root] == kNone) {
    conflict_of_[root] = static_cast<std::uint32_t>(conflict_count_);
    if (conflict_count_ == conflicts_.size()) conflicts_.emplace_back();
    conflicts_[conflict_count_].lowest_place = PlaceId{root};
    conflicts_[conflict_count_].candidates.clear();
    ++conflict_count_;
  }
  return conflicts_[conflict_of_[root]];
}

void StepPlan::collect_conflicts() {
  free_.clear();
  remaining_.clear();
  for (const TransitionId t : enabled_) {
    const bool is_free = link_contested_inputs(t) == kNone;
    (is_free ? free_ : remaining_).push_back(t);
  }
  for (const TransitionId t : remaining_) {
    const auto inputs = net_.inputs(t);
    const auto arc = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const Arc& a) { return contested_[a.place.value] != 0; });
    conflict_with_root(root_of(arc->place.value)).candidates.push_back(t);
  }
  for (std::size_t c = 0; c < conflict_count_; ++c) {
    conflict_of_[conflicts_[c].lowest_place.value] = kNone;
  }
}

}  // namespace pnsim
