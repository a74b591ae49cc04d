#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <bit>

namespace pnsim {

EnabledSet::EnabledSet(const Net& net, const Marking& marking)
    : failing_(net.transition_count()), enabled_((net.transition_count() + 63) / 64) {
  std::vector<std::vector<Watcher>> of_place(net.place_count());
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    for (const Arc& arc : net.inputs(t)) of_place[arc.place.value].push_back({arc.weight, t, false});
    for (const PlaceId p : net.inhibitors(t)) of_place[p.value].push_back({1, t, true});
  }
  start_ = {0};
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    std::stable_sort(of_place[p].begin(), of_place[p].end(),
                     [](const Watcher& a, const Watcher& b) { return a.threshold < b.threshold; });
    for (const Watcher& w : of_place[p]) {
      const bool holds = (marking[p] >= w.threshold) != w.is_inhibitor;
      if (!holds) ++failing_[w.transition.value];
      watchers_.push_back(w);
    }
    start_.push_back(static_cast<std::uint32_t>(watchers_.size()));
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (failing_[t] == 0) enabled_[t / 64] |= std::uint64_t{1} << (t % 64);
  }
}

void EnabledSet::flip(const Watcher& watcher, bool reached) {
  const std::uint32_t t = watcher.transition.value;
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  if (reached != watcher.is_inhibitor) {
    if (--failing_[t] == 0) enabled_[t / 64] |= bit;
  } else {
    if (failing_[t]++ == 0) enabled_[t / 64] &= ~bit;
  }
}

void EnabledSet::change(PlaceId p, Tokens before, Tokens after) {
  const Tokens low = std::min(before, after), high = std::max(before, after);
  const Watcher* const end = watchers_.data() + start_[p.value + 1];
  const Watcher* w = watchers_.data() + start_[p.value];
  while (w != end && w->threshold <= low) ++w;
  for (; w != end && w->threshold <= high; ++w) flip(*w, after > before);
}

void EnabledSet::list(std::vector<TransitionId>& out) const {
  out.clear();
  for (std::uint32_t word = 0; word < enabled_.size(); ++word) {
    for (std::uint64_t bits = enabled_[word]; bits != 0; bits &= bits - 1) {
      out.push_back({word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))});
    }
  }
}

}  // namespace pnsim
