#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <iterator>

namespace pnsim {

EnabledSet::EnabledSet(const Net& net, const Marking& marking)
    : marking_(marking),
      hubs_(find_hubs(net)),
      start_{0},
      is_left_out_(net.transition_count()),
      is_queued_(net.transition_count()),
      queue_at_(net.place_count(), Hubs::kNone) {
  const auto transitions = static_cast<std::uint32_t>(net.transition_count());
  for (std::uint32_t t = 0; t < transitions; ++t) {
    if (!hubs_.is_dead[t]) add_conditions(net, t);
    start_.push_back(static_cast<std::uint32_t>(conditions_.size()));
  }
  links_.resize(conditions_.size() + net.place_count());
  for (std::uint32_t i = 0; i < links_.size(); ++i) links_[i] = {i, i};
  for (const Hubs::Hub& hub : hubs_.hubs) {
    queue_at_[hub.place.value] = static_cast<std::uint32_t>(queues_.size());
    queues_.push_back({hub.place, hub.weight});
  }
  for (std::uint32_t t = 0; t < transitions; ++t) {
    if (!hubs_.is_dead[t]) look_at(TransitionId{t}, enabled_);
  }
}

void EnabledSet::add_conditions(const Net& net, std::uint32_t t) {
  const std::uint32_t hub = hubs_.hub_of[t];
  for (const Arc& arc : net.inputs(TransitionId{t})) {
    if (hub != Hubs::kNone && hubs_.hubs[hub].place == arc.place) continue;
    conditions_.push_back({arc.place, TransitionId{t}, arc.weight});
  }
  for (const PlaceId p : net.inhibitors(TransitionId{t})) {
    conditions_.push_back({p, TransitionId{t}, 0});
  }
}

void EnabledSet::leave_out(TransitionId t) { is_left_out_[t.value] = true; }

std::size_t EnabledSet::size() const {
  std::size_t size = enabled_.size();
  for (const Queue* queue : open_) size += queue->clients.size();
  return size;
}

void EnabledSet::watch(std::uint32_t c) {
  const auto ring = static_cast<std::uint32_t>(conditions_.size()) + conditions_[c].place.value;
  const std::uint32_t next = links_[ring].next;
  links_[c] = {next, ring};
  links_[ring].next = links_[next].previous = c;
}

void EnabledSet::stop_watching(std::uint32_t c) {
  const Link link = links_[c];
  links_[link.previous].next = link.next;
  links_[link.next].previous = link.previous;
}

void EnabledSet::look_at(TransitionId t, std::vector<TransitionId>& enabled) {
  if (is_left_out_[t.value]) return;
  for (std::uint32_t c = start_[t.value]; c != start_[t.value + 1]; ++c) {
    if (!holds(conditions_[c])) return watch(c);
  }
  if (hubs_.hub_of[t.value] == Hubs::kNone) {
    enabled.push_back(t);
  } else {
    join_queue(t);
  }
}

void EnabledSet::join_queue(TransitionId t) {
  for (std::uint32_t c = start_[t.value]; c != start_[t.value + 1]; ++c) watch(c);
  Queue& queue = queues_[hubs_.hub_of[t.value]];
  auto& clients = queue.clients;
  clients.insert(std::lower_bound(clients.begin(), clients.end(), t), t);
  is_queued_[t.value] = true;
  if (clients.size() == 1) open_or_close(queue);
}

void EnabledSet::leave_queue(TransitionId t) {
  for (std::uint32_t c = start_[t.value]; c != start_[t.value + 1]; ++c) stop_watching(c);
  Queue& queue = queues_[hubs_.hub_of[t.value]];
  auto& clients = queue.clients;
  clients.erase(std::lower_bound(clients.begin(), clients.end(), t));
  is_queued_[t.value] = false;
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
  const auto ring = static_cast<std::uint32_t>(conditions_.size()) + p.value;
  for (std::uint32_t c = links_[ring].next, next; c != ring; c = next) {
    next = links_[c].next;
    const TransitionId t = conditions_[c].transition;
    if (is_queued_[t.value] == holds(conditions_[c])) continue;
    if (is_queued_[t.value]) {
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
