#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <iterator>

namespace pnsim {

EnabledSet::EnabledSet(const Net& net, const Marking& marking)
    : marking_(marking), queue_at_(net.place_count(), Hubs::kNone) {
  const Hubs hubs = find_hubs(net);
  for (const Hubs::Hub& hub : hubs.hubs) {
    queue_at_[hub.place.value] = static_cast<std::uint32_t>(queues_.size());
    queues_.push_back({hub.place, hub.weight});
  }
  const auto transitions = static_cast<std::uint32_t>(net.transition_count());
  candidates_.reserve(transitions);
  std::size_t conditions = net.place_count();
  for (std::uint32_t t = 0; t < transitions; ++t) {
    conditions += net.inputs(TransitionId{t}).size() + net.inhibitors(TransitionId{t}).size();
  }
  conditions_.reserve(conditions);
  for (std::uint32_t t = 0; t < transitions; ++t) {
    const auto first = static_cast<std::uint32_t>(conditions_.size());
    if (!hubs.is_dead[t]) add_conditions(net, t, hubs.hub_of[t]);
    const auto end = static_cast<std::uint32_t>(conditions_.size());
    candidates_.push_back({first, end, hubs.hub_of[t], hubs.is_dead[t] != 0, false});
  }
  add_starts_of_rings(net);
  for (std::uint32_t t = 0; t < transitions; ++t) look_at(TransitionId{t}, enabled_);
}

void EnabledSet::add_conditions(const Net& net, std::uint32_t t, std::uint32_t queue) {
  for (const Arc& arc : net.inputs(TransitionId{t})) {
    if (queue != Hubs::kNone && queues_[queue].place == arc.place) continue;
    conditions_.push_back({arc.place, TransitionId{t}, arc.weight, 0, 0});
  }
  for (const PlaceId p : net.inhibitors(TransitionId{t})) {
    conditions_.push_back({p, TransitionId{t}, 0, 0, 0});
  }
}

void EnabledSet::add_starts_of_rings(const Net& net) {
  rings_ = static_cast<std::uint32_t>(conditions_.size());
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    conditions_.push_back({PlaceId{p}, TransitionId{0}, 0, rings_ + p, rings_ + p});
  }
}

void EnabledSet::leave_out(TransitionId t) { candidates_[t.value].is_left_out = true; }

std::size_t EnabledSet::size() const {
  std::size_t size = enabled_.size();
  for (const Queue* queue : open_) size += queue->clients.size();
  return size;
}

void EnabledSet::watch(std::uint32_t c) {
  Condition& condition = conditions_[c];
  const std::uint32_t ring = rings_ + condition.place.value;
  condition.next = conditions_[ring].next;
  condition.previous = ring;
  conditions_[ring].next = conditions_[condition.next].previous = c;
}

void EnabledSet::stop_watching(std::uint32_t c) {
  const Condition& condition = conditions_[c];
  conditions_[condition.previous].next = condition.next;
  conditions_[condition.next].previous = condition.previous;
}

void EnabledSet::look_at(TransitionId t, std::vector<TransitionId>& enabled) {
  const Candidate& candidate = candidates_[t.value];
  if (candidate.is_left_out) return;
  for (std::uint32_t c = candidate.first; c != candidate.end; ++c) {
    if (!holds(conditions_[c])) return watch(c);
  }
  if (candidate.queue == Hubs::kNone) {
    enabled.push_back(t);
  } else {
    join_queue(t);
  }
}

void EnabledSet::join_queue(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  for (std::uint32_t c = candidate.first; c != candidate.end; ++c) watch(c);
  Queue& queue = queues_[candidate.queue];
  auto& clients = queue.clients;
  clients.insert(std::lower_bound(clients.begin(), clients.end(), t), t);
  candidate.is_queued = true;
  if (clients.size() == 1) open_or_close(queue);
}

void EnabledSet::leave_queue(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  for (std::uint32_t c = candidate.first; c != candidate.end; ++c) stop_watching(c);
  Queue& queue = queues_[candidate.queue];
  auto& clients = queue.clients;
  clients.erase(std::lower_bound(clients.begin(), clients.end(), t));
  candidate.is_queued = false;
  if (clients.empty()) open_or_close(queue);
}

void EnabledSet::open_or_close(Queue& queue) {
  const bool is_open = !queue.clients.empty() && marking_[queue.place.value] >= queue.weight;
  if (queue.is_open == is_open) return;
  queue.is_open = is_open;
  if (is_open) {
    queue.at = static_cast<std::uint32_t>(open_.size());
    open_.push_back(&queue);
  } else {
    open_[queue.at] = open_.back();
    open_[queue.at]->at = queue.at;
    open_.pop_back();
  }
}

// What begins to watch p meanwhile does so at the start of the ring, which has been passed already; what
// stops is the transition at hand.
void EnabledSet::look_at_watchers(PlaceId p) {
  const std::uint32_t ring = rings_ + p.value;
  for (std::uint32_t c = conditions_[ring].next, next; c != ring; c = next) {
    const Condition& condition = conditions_[c];
    next = condition.next;
    const TransitionId t = condition.transition;
    const bool is_queued = candidates_[t.value].is_queued;
    if (is_queued == holds(condition)) continue;
    if (is_queued) {
      leave_queue(t);
      watch(c);
    } else {
      stop_watching(c);
      look_at(t, new_);
    }
  }
}

void EnabledSet::update() {
  still_.clear();
  new_.clear();
  for (const TransitionId t : enabled_) look_at(t, still_);
  for (const PlaceId p : changed_) {
    const std::uint32_t queue = queue_at_[p.value];
    if (queue != Hubs::kNone) open_or_close(queues_[queue]);
    look_at_watchers(p);
  }
  changed_.clear();
  if (new_.empty()) return enabled_.swap(still_);
  if (!std::is_sorted(new_.begin(), new_.end())) std::sort(new_.begin(), new_.end());
  enabled_.clear();
  std::merge(still_.begin(), still_.end(), new_.begin(), new_.end(), std::back_inserter(enabled_));
}

}  // namespace pnsim
