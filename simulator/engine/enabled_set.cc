#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <iterator>

namespace pnsim {

// All are listed to begin with: the first update looks at each.
EnabledSet::EnabledSet(const Net& net, const Marking& marking,
                       std::span<const TransitionId> left_out)
    : marking_(marking), places_(net.place_count()) {
  const Hubs hubs = find_hubs(net);
  queues_.reserve(hubs.hubs.size());
  for (const Hubs::Hub& hub : hubs.hubs) {
    places_[hub.place.value].queue = static_cast<std::uint32_t>(queues_.size());
    queues_.push_back({hub.place, hub.weight});
  }
  const auto transitions = static_cast<std::uint32_t>(net.transition_count());
  candidates_.reserve(transitions);
  for (std::uint32_t t = 0; t < transitions; ++t) {
    const std::uint32_t queue = hubs.hub_of[t];
    const Kind kind = hubs.is_dead[t]      ? Kind::kNever
                      : queue != kNone     ? Kind::kClient
                      : hubs.is_sharing[t] ? Kind::kSharing
                                           : Kind::kAlone;
    candidates_.push_back({0, 0, queue, kind});
  }
  for (const TransitionId t : left_out) candidates_[t.value].kind = Kind::kNever;
  std::size_t conditions = 0;
  for (std::uint32_t t = 0; t < transitions; ++t) {
    if (candidates_[t].kind == Kind::kNever) continue;
    alone_.push_back(TransitionId{t});
    conditions += net.inputs(TransitionId{t}).size() + net.inhibitors(TransitionId{t}).size();
  }
  conditions_.reserve(conditions);
  for (const TransitionId t : alone_) {
    Candidate& candidate = candidates_[t.value];
    candidate.first = static_cast<std::uint32_t>(conditions_.size());
    add_conditions(net, t.value, candidate.queue);
    candidate.end = static_cast<std::uint32_t>(conditions_.size());
  }
}

void EnabledSet::add_conditions(const Net& net, std::uint32_t t, std::uint32_t queue) {
  for (const Arc& arc : net.inputs(TransitionId{t})) {
    if (queue != kNone && queues_[queue].place == arc.place) continue;
    conditions_.push_back({arc.place, TransitionId{t}, arc.weight, kNone, kNone});
  }
  for (const PlaceId p : net.inhibitors(TransitionId{t})) {
    conditions_.push_back({p, TransitionId{t}, 0, kNone, kNone});
  }
}

std::size_t EnabledSet::size() const {
  std::size_t size = alone_.size() + sharing_.size();
  for (const Queue* queue : open_) size += queue->clients.size();
  return size;
}

void EnabledSet::watch(std::uint32_t c) {
  Condition& condition = conditions_[c];
  std::uint32_t& first = places_[condition.place.value].watcher;
  condition.next = first;
  condition.previous = kNone;
  if (first != kNone) conditions_[first].previous = c;
  first = c;
}

void EnabledSet::stop_watching(std::uint32_t c) {
  const Condition& condition = conditions_[c];
  if (condition.next != kNone) conditions_[condition.next].previous = condition.previous;
  (condition.previous == kNone ? places_[condition.place.value].watcher
                               : conditions_[condition.previous].next) = condition.next;
}

void EnabledSet::look_at(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  const std::uint32_t failing = first_failing(candidate);
  if (failing != candidate.end) return watch(failing);
  if (candidate.kind == Kind::kAlone) return alone_.push_back(t);
  if (candidate.kind == Kind::kSharing) return found_.push_back(t);
  join_queue(t, candidate);
}

// Its input places are its own and fall by its own firing alone, which is noted: it watches the others.
void EnabledSet::join_queue(TransitionId t, Candidate& candidate) {
  for (std::uint32_t c = candidate.first; c != candidate.end; ++c) {
    if (conditions_[c].min == 0) watch(c);
  }
  Queue& queue = queues_[candidate.queue];
  auto& clients = queue.clients;
  clients.push_back(t);
  std::size_t at = clients.size() - 1;
  for (; at > 0 && clients[at - 1] > t; --at) clients[at] = clients[at - 1];
  clients[at] = t;
  candidate.is_queued = true;
  if (clients.size() == 1) open_or_close(queue);
}

void EnabledSet::leave_queue(TransitionId t, Candidate& candidate) {
  for (std::uint32_t c = candidate.first; c != candidate.end; ++c) {
    if (conditions_[c].min == 0) stop_watching(c);
  }
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

// Who has left already because of a place that was marked is looked at no more.
void EnabledSet::look_at_served(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  const std::uint32_t failing = first_failing(candidate);
  if (failing == candidate.end || !candidate.is_queued) return;
  leave_queue(t, candidate);
  watch(failing);
}

// What begins to watch p meanwhile does so at the start of the list, which has been passed already; what
// stops is the transition at hand.
void EnabledSet::look_at_watchers(PlaceId p) {
  for (std::uint32_t c = places_[p.value].watcher, next; c != kNone; c = next) {
    const Condition& condition = conditions_[c];
    next = condition.next;
    Candidate& candidate = candidates_[condition.transition.value];
    if (candidate.is_queued == holds(condition)) continue;
    if (candidate.is_queued) {
      leave_queue(condition.transition, candidate);
      watch(c);
    } else {
      stop_watching(c);
      look_at(condition.transition);
    }
  }
}

// Those that still are enabled are found in order, and merged with who becomes so.
void EnabledSet::look_at_sharing() {
  before_.swap(sharing_);
  sharing_.clear();
  for (const TransitionId t : before_) look_at(t);
  std::swap(sharing_, found_);
}

void EnabledSet::update() {
  found_.clear();
  if (!sharing_.empty()) look_at_sharing();
  before_.swap(alone_);
  alone_.clear();
  for (const TransitionId t : before_) look_at(t);
  for (const TransitionId t : served_) look_at_served(t);
  served_.clear();
  for (const PlaceId p : changed_) {
    const std::uint32_t queue = places_[p.value].queue;
    if (queue != kNone) open_or_close(queues_[queue]);
    look_at_watchers(p);
  }
  changed_.clear();
  if (found_.empty()) return;
  std::sort(found_.begin(), found_.end());
  const auto middle = static_cast<std::ptrdiff_t>(sharing_.size());
  sharing_.insert(sharing_.end(), found_.begin(), found_.end());
  std::inplace_merge(sharing_.begin(), sharing_.begin() + middle, sharing_.end());
}

}  // namespace pnsim
