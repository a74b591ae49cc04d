#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pnsim {

EnabledSet::EnabledSet(const Net& net, const Marking& marking)
    : marking_(marking),
      start_{0},
      first_watcher_(net.place_count(), kNone),
      next_watcher_(net.transition_count(), kNone),
      is_left_out_(net.transition_count()) {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 63;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    for (const Arc& arc : net.inputs(TransitionId{t})) {
      conditions_.push_back({arc.place, static_cast<std::uint64_t>(arc.weight), kAny});
    }
    for (const PlaceId p : net.inhibitors(TransitionId{t})) conditions_.push_back({p, 0, 0});
    start_.push_back(static_cast<std::uint32_t>(conditions_.size()));
    look_at(t, enabled_);
  }
}

void EnabledSet::leave_out(TransitionId t) { is_left_out_[t.value] = true; }

// One comparison a condition: below min the difference wraps round to a huge number.
void EnabledSet::look_at(std::uint32_t t, std::vector<TransitionId>& enabled) {
  if (is_left_out_[t]) return;
  for (std::uint32_t c = start_[t]; c != start_[t + 1]; ++c) {
    const Condition& condition = conditions_[c];
    const std::uint32_t p = condition.place.value;
    if (static_cast<std::uint64_t>(marking_[p]) - condition.min <= condition.range) continue;
    next_watcher_[t] = std::exchange(first_watcher_[p], t);
    return;
  }
  enabled.push_back(TransitionId{t});
}

std::span<const TransitionId> EnabledSet::list() {
  still_.clear();
  new_.clear();
  for (const TransitionId t : enabled_) look_at(t.value, still_);
  for (const PlaceId p : changed_) {
    std::uint32_t t = std::exchange(first_watcher_[p.value], kNone);
    while (t != kNone) {
      const std::uint32_t next = next_watcher_[t];
      look_at(t, new_);
      t = next;
    }
  }
  changed_.clear();
  // Those that began to watch a place together come back in the opposite order.
  std::reverse(new_.begin(), new_.end());
  if (!std::is_sorted(new_.begin(), new_.end())) std::sort(new_.begin(), new_.end());
  enabled_.clear();
  std::merge(still_.begin(), still_.end(), new_.begin(), new_.end(), std::back_inserter(enabled_));
  return enabled_;
}

}  // namespace pnsim
