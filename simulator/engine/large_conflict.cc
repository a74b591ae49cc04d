// A conflict of very many transitions, settled in O(n log n). It gives the same winners as the loop
// of StepPlan::settle(), which examines all candidates after every draw.
#include <algorithm>
#include <tuple>

#include "simulator/engine/law.h"
#include "simulator/engine/ranked_set.h"

namespace pnsim {
namespace {

// An arc from a contested place to a candidate.
struct Taker {
  PlaceId place;
  Tokens weight;
  std::uint32_t candidate;  // position in the conflict
};

}  // namespace

void StepPlan::settle_large(const Conflict& conflict, const Marking& marking,
                            const std::function<std::uint32_t(std::uint32_t)>& choose,
                            std::vector<TransitionId>& fired) {
  begin_to_settle(conflict, marking);
  std::vector<Taker> takers;
  for (std::uint32_t i = 0; i < conflict.candidates.size(); ++i) {
    for (const Arc& arc : net_.inputs(conflict.candidates[i])) {
      if (contested_[arc.place.value]) takers.push_back({arc.place, arc.weight, i});
    }
  }
  // Per place, those that need most come first: they are the first that the rest does not cover.
  std::sort(takers.begin(), takers.end(), [](const Taker& a, const Taker& b) {
    return std::tuple(a.place, -a.weight, a.candidate) <
           std::tuple(b.place, -b.weight, b.candidate);
  });
  std::vector<std::size_t>& next = first_taker_;  // [place] the first that is not yet dropped
  next.resize(net_.place_count());
  for (std::size_t i = takers.size(); i-- > 0;) next[takers[i].place.value] = i;
  RankedSet remaining(static_cast<std::uint32_t>(conflict.candidates.size()));
  while (remaining.size() != 0) {
    const TransitionId winner = conflict.candidates[remaining.take(choose(remaining.size()))];
    fired.push_back(winner);
    for (const Arc& arc : net_.inputs(winner)) {
      const PlaceId p = arc.place;
      left_[p.value] -= arc.weight;
      if (!contested_[p.value]) continue;
      for (std::size_t& i = next[p.value]; i < takers.size() && takers[i].place == p; ++i) {
        if (takers[i].weight <= left_[p.value]) break;
        if (remaining.contains(takers[i].candidate)) remaining.remove(takers[i].candidate);
      }
    }
  }
}

}  // namespace pnsim
