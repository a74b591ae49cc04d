// The firing rule of a step: which transitions are enabled, which fire without a draw, which
// conflict, and how a conflict is settled. docs/law.md describes the rule in words.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "simulator/engine/draws.h"
#include "simulator/net/net.h"

namespace pnsim {

// Enabled transitions that are linked by shared contested places.
struct Conflict {
  PlaceId lowest_place;                  // the contested place with the lowest index
  std::vector<TransitionId> candidates;  // in index order
};

// The part of a step that the marking alone decides. The object is reused from step to step, so it
// soon stops allocating memory.
class StepPlan {
 public:
  explicit StepPlan(const Net& net);

  // Examines marking M (one entry per place). All results below refer to this marking.
  void examine(const Marking& marking);

  // The same when the transitions enabled at M are known, in index order. Transitions that share no
  // contested place with the others may be omitted. enabled(), free() and conflicts() then refer to
  // the given ones.
  void examine(const Marking& marking, std::span<const TransitionId> enabled);

  // The same, beside a crowd: enabled transitions that are not listed. They have no other contested
  // place, and together they need this many tokens of `place`.
  struct CrowdNeed {
    PlaceId place;
    std::uint64_t tokens;
  };
  void examine(const Marking& marking, std::span<const TransitionId> enabled, CrowdNeed crowd);

  // Transitions enabled at M, in index order: M(p) >= W(p,t) for every input, M(p) = 0 for every
  // inhibitor.
  std::span<const TransitionId> enabled() const { return enabled_; }

  // Enabled transitions without a contested input place: all of them fire. In index order.
  std::span<const TransitionId> free() const { return conflict_count_ == 0 ? enabled_ : free_; }

  // The other transitions, by conflict, in the order of their first candidate. Each conflict is
  // settled independently.
  std::span<const Conflict> conflicts() const { return {conflicts_.data(), conflict_count_}; }

  // True when the enabled transitions together need more tokens of p than M(p).
  bool is_contested(PlaceId p) const { return contested_[p.value]; }

  // Settles one conflict: `choose(size)` returns the position of the next candidate to fire among
  // the `size` that remain (index order). Appends the firing transitions to `fired`.
  template <class Choose>
  void settle(const Conflict& conflict, const Marking& marking, Choose&& choose,
              std::vector<TransitionId>& fired);

  // True when a candidate of the conflict takes from this contested place.
  bool is_about(const Conflict& conflict, PlaceId p) const;

  // The same as settle() for a conflict about `taken.place` in which a crowd takes part; each of
  // its transitions takes taken.weight tokens. crowd.size() is the number of those that have not
  // fired, crowd.before(t) the number of them with an index below that of t, and crowd.take(k)
  // makes number k of them in index order fire.
  template <class Crowd, class Choose>
  void settle_with_crowd(const Conflict& conflict, const Marking& marking, Arc taken, Crowd& crowd,
                         Choose&& choose, std::vector<TransitionId>& fired);

 private:
  // M(p) must lie in [min, min + range]: an input arc is [W, inf), an inhibitor is [0, 0].
  struct Condition {
    PlaceId place;
    std::uint64_t min;
    std::uint64_t range;
  };

  // One comparison per condition: below min the unsigned difference wraps to a huge number.
  static bool holds(const Condition& c, const Tokens* marking) {
    return static_cast<std::uint64_t>(marking[c.place.value]) - c.min <= c.range;
  }

  bool covered(TransitionId t) const {
    for (const Arc& arc : net_.inputs(t)) {
      if (contested_[arc.place.value] && left_[arc.place.value] < arc.weight) return false;
    }
    return true;
  }

  void add_conditions();
  void find_enabled(const Marking& marking);
  // Returns whether there is any contested place.
  bool find_contested(const Marking& marking, CrowdNeed crowd);
  void find_conflicts(const Marking& marking, CrowdNeed crowd = {PlaceId{0}, 0});
  // From this number of candidates on, settle() leaves a conflict to settle_large().
  static constexpr std::size_t kLarge = 256;
  void settle_large(const Conflict& conflict, const Marking& marking,
                    const std::function<std::uint32_t(std::uint32_t)>& choose,
                    std::vector<TransitionId>& fired);
  void begin_to_settle(const Conflict& conflict, const Marking& marking);
  void fire_candidate(std::size_t at, std::vector<TransitionId>& fired);
  void drop_uncovered() {
    std::erase_if(remaining_, [&](TransitionId t) { return !covered(t); });
  }
  void collect_conflicts();
  std::uint32_t root_of(std::uint32_t place);
  std::uint32_t link_contested_inputs(TransitionId t);  // root, or kNone without contested inputs
  Conflict& conflict_with_root(std::uint32_t root);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  const Net& net_;
  // Built on first use, because not every user needs them.
  std::vector<Condition> first_condition_;  // [transition] the one that fails most often
  std::vector<Condition> conditions_;       // the other conditions of t: [start[t], start[t + 1])
  std::vector<std::uint32_t> condition_start_;
  std::vector<TransitionId> enabled_, free_;
  // [place] tokens needed by the enabled transitions, saturating
  std::vector<std::uint64_t> wanted_;
  std::vector<PlaceId> wanted_places_;      // places with wanted > 0
  std::vector<char> contested_;             // [place]
  std::vector<std::uint32_t> parent_;       // [place] union-find over contested places
  std::vector<std::uint32_t> conflict_of_;  // [root place] position in conflicts_, or kNone
  std::vector<Conflict> conflicts_;         // the first conflict_count_ are in use
  std::size_t conflict_count_ = 0;
  std::vector<Tokens> left_;              // [contested place] tokens not yet taken
  std::vector<std::size_t> first_taker_;  // [place] of settle_large()
  std::vector<TransitionId> remaining_;   // candidates not yet chosen
};

template <class Choose>
void StepPlan::settle(const Conflict& conflict, const Marking& marking, Choose&& choose,
                      std::vector<TransitionId>& fired) {
  if (conflict.candidates.size() >= kLarge) return settle_large(conflict, marking, choose, fired);
  begin_to_settle(conflict, marking);
  while (!remaining_.empty()) {
    fire_candidate(choose(static_cast<std::uint32_t>(remaining_.size())), fired);
    drop_uncovered();
  }
}

inline void StepPlan::begin_to_settle(const Conflict& conflict, const Marking& marking) {
  for (const TransitionId t : conflict.candidates) {
    for (const Arc& arc : net_.inputs(t)) left_[arc.place.value] = marking[arc.place.value];
  }
  remaining_ = conflict.candidates;
}

inline void StepPlan::fire_candidate(std::size_t at, std::vector<TransitionId>& fired) {
  const TransitionId winner = remaining_[at];
  fired.push_back(winner);
  for (const Arc& arc : net_.inputs(winner)) left_[arc.place.value] -= arc.weight;
  remaining_.erase(remaining_.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class Crowd, class Choose>
void StepPlan::settle_with_crowd(const Conflict& conflict, const Marking& marking, Arc taken,
                                 Crowd& crowd, Choose&& choose, std::vector<TransitionId>& fired) {
  begin_to_settle(conflict, marking);
  Tokens& left = left_[taken.place.value];
  while (true) {
    const std::uint32_t others = left >= taken.weight ? crowd.size() : 0;
    const auto listed = static_cast<std::uint32_t>(remaining_.size());
    if (listed + others == 0) return;
    const std::uint32_t at = choose(listed + others);
    // Candidate i of the list is preceded by i listed ones and by a part of the crowd.
    const auto position = [&](const TransitionId& t) {
      const auto i = static_cast<std::uint32_t>(&t - remaining_.data());
      return i + (others == 0 ? 0 : crowd.before(t));
    };
    const auto next = std::partition_point(remaining_.begin(), remaining_.end(),
                                           [&](const TransitionId& t) { return position(t) < at; });
    const auto i = static_cast<std::uint32_t>(next - remaining_.begin());
    if (next != remaining_.end() && position(*next) == at) {
      fire_candidate(i, fired);
    } else {
      crowd.take(at - i);
      left -= taken.weight;
    }
    drop_uncovered();
  }
}

}  // namespace pnsim
