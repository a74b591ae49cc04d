#include "simulator/engine/enabled_set.h"

#include <algorithm>
#include <iterator>

namespace pnsim {

// Initially every transition is listed, so the first update examines each of them.
EnabledSet::EnabledSet(const Net& net, const Marking& marking,
                       std::span<const TransitionId> left_out)
    : marking_(marking), places_(net.place_count()) {
  const Hubs hubs = find_hubs(net);
  for (std::uint32_t p = 0; p < places_.size(); ++p) {
    places_[p].dependents.taker = hubs.only_taker[p];
  }
  add_queues(hubs);
  add_gates(hubs);
  const auto transitions = static_cast<std::uint32_t>(net.transition_count());
  candidates_.reserve(transitions);
  for (std::uint32_t t = 0; t < transitions; ++t) {
    const std::uint32_t group = hubs.group_of[t];
    const Kind kind = hubs.is_dead[t]      ? Kind::kNever
                      : group != kNone     ? Kind::kClient
                      : hubs.is_sharing[t] ? Kind::kSharing
                                           : Kind::kUnshared;
    candidates_.push_back({0, 0, 0, group, PlaceId{kNone}, kind});
  }
  for (const TransitionId t : left_out) {
    candidates_[t.value].kind = Kind::kNever;
    for (const Arc& arc : net.inputs(t)) places_[arc.place.value].dependents.taker = kNone;
  }
  std::size_t conditions = 0;
  for (std::uint32_t t = 0; t < transitions; ++t) {
    if (candidates_[t].kind == Kind::kNever) continue;
    unshared_.push_back(TransitionId{t});
    conditions += net.inputs(TransitionId{t}).size() + net.inhibitors(TransitionId{t}).size();
  }
  conditions_.reserve(conditions);
  for (const TransitionId t : unshared_) {
    add_conditions(net, t, hubs.is_implied, candidates_[t.value]);
  }
}

void EnabledSet::add_queues(const Hubs& hubs) {
  queues_.reserve(hubs.hubs.size());
  for (const Hubs::Hub& hub : hubs.hubs) {
    places_[hub.place.value].dependents.queue = static_cast<std::uint32_t>(queues_.size());
    queues_.push_back({hub.place, hub.weight, hub.gate});
  }
  groups_.reserve(hubs.groups.size());
  for (const Hubs::Group& group : hubs.groups) {
    groups_.push_back({group.hub, static_cast<std::uint32_t>(gates_.size()),
                       static_cast<std::uint32_t>(group.gates.size())});
    gates_.insert(gates_.end(), group.gates.begin(), group.gates.end());
  }
}

void EnabledSet::add_gates(const Hubs& hubs) {
  const auto for_all_gates = [&](auto&& visit) {
    for (std::uint32_t q = 0; q < queues_.size(); ++q) {
      if (queues_[q].gate) visit(*queues_[q].gate, Gated{.queue = q});
    }
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (const PlaceId p : hubs.groups[g].gates) visit(p, Gated{.group = g});
    }
  };
  for_all_gates([&](PlaceId p, Gated) {
    ++places_[p.value].gated_end;
    places_[p.value].dependents.gate = true;
  });
  std::uint32_t all = 0;
  for (Place& place : places_) {
    const std::uint32_t of_place = place.gated_end;
    place.first_gated = place.gated_end = all;
    all += of_place;
  }
  gated_.resize(all);
  for_all_gates([&](PlaceId p, Gated gated) { gated_[places_[p.value].gated_end++] = gated; });
}

void EnabledSet::add_conditions(const Net& net, TransitionId t, const std::vector<char>& is_implied,
                                Candidate& candidate) {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 63;
  const auto here = [&] { return static_cast<std::uint32_t>(conditions_.size()); };
  const bool is_client = candidate.kind == Kind::kClient;
  const auto add_inputs = [&](bool own) {
    for (const Arc& arc : net.inputs(t)) {
      Dependents& dependents = places_[arc.place.value].dependents;
      const bool is_hub =
          dependents.queue != kNone;  // the takers of a hub are clients, unless they are dead
      if (is_hub || is_implied[arc.place.value] || own != (dependents.taker == t.value)) continue;
      conditions_.push_back({arc.place, t, static_cast<std::uint64_t>(arc.weight), kAny});
      dependents.others = dependents.others || !own;
    }
  };
  candidate.first = here();
  add_inputs(true);
  candidate.others = here();
  add_inputs(false);
  for (const PlaceId p : is_client ? std::span<const PlaceId>{} : net.inhibitors(t)) {
    conditions_.push_back({p, t, 0, 0});
    places_[p.value].dependents.others = true;
  }
  candidate.end = here();
  if (candidate.end != candidate.first + 1) return;
  const Condition& one = conditions_[candidate.first];
  if (one.min == 1) candidate.only = one.place;
}

void EnabledSet::forget() {
  for (Condition& condition : conditions_) condition.next = condition.previous = kNone;
  for (Place& place : places_) place.watcher = kNone;
  for (Group& group : groups_) {
    group.clients.clear();
    group.is_ready = false;
  }
  for (Queue& queue : queues_) {
    queue.ready.clear();
    queue.is_open = false;
  }
  for (auto* list : {&unshared_, &sharing_, &found_, &with_more_}) list->clear();
  open_.clear();
  changed_hubs_.clear();
  changed_gates_.clear();
  changed_.clear();
  for (std::uint32_t t = 0; t < candidates_.size(); ++t) {
    candidates_[t].state = State::kListed;
    if (candidates_[t].kind != Kind::kNever) unshared_.push_back(TransitionId{t});
  }
}

std::size_t EnabledSet::size() const {
  std::size_t size = unshared_.size() + sharing_.size();
  for (const Queue* queue : open_) size += queue->ready_clients();
  return size;
}

// The next two functions run for nearly every change, and a call would cost as much as their work.
// So they are inlined.

[[gnu::always_inline]] inline void EnabledSet::flip(Queue& queue) {
  queue.is_open = !queue.is_open;
  if (queue.is_open) {
    queue.at = static_cast<std::uint32_t>(open_.size());
    open_.push_back(&queue);
  } else {
    open_[queue.at] = open_.back();
    open_[queue.at]->at = queue.at;
    open_.pop_back();
  }
}

// Groups are stored in index order, so their addresses give the order.
[[gnu::always_inline]] inline void EnabledSet::set_ready(Group& group, bool is_ready) {
  group.is_ready = is_ready;
  Queue& queue = queues_[group.queue];
  auto& ready = queue.ready;
  if (is_ready) {
    ready.push_back(&group);
    std::size_t at = ready.size() - 1;
    for (; at > 0 && ready[at - 1] > &group; --at) ready[at] = ready[at - 1];
    ready[at] = &group;
    if (ready.size() == 1) open_or_close(queue);
  } else {
    std::size_t at = ready.size() - 1;
    for (const Group* next = ready[at]; next != &group;) std::swap(next, ready[--at]);
    ready.pop_back();
    if (ready.empty()) open_or_close(queue);
  }
}

void EnabledSet::wait_for(std::uint32_t failing, Candidate& candidate) {
  candidate.state = failing < candidate.others ? State::kLacksOwn : State::kWatches;
  if (candidate.state == State::kWatches) watch(failing);
}

[[gnu::always_inline]] inline void EnabledSet::look_at(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  const std::uint32_t failing = first_failing(candidate);
  if (failing != candidate.end) return wait_for(failing, candidate);
  candidate.state = State::kListed;
  if (candidate.kind == Kind::kUnshared) return unshared_.push_back(t);
  if (candidate.kind == Kind::kSharing) return found_.push_back(t);
  join_group(t, groups_[candidate.group]);
}

// Only the transition's own firing removes tokens from its own places, and update() is told of that
// firing.
inline void EnabledSet::join_group(TransitionId t, Group& group) {
  auto& clients = group.clients;
  clients.push_back(t);
  std::size_t at = clients.size() - 1;
  for (; at > 0 && clients[at - 1] > t; --at) clients[at] = clients[at - 1];
  clients[at] = t;
  if (clients.size() == 1 && gates_are_empty(group)) set_ready(group, true);
}

inline void EnabledSet::leave_group(TransitionId t, Group& group) {
  auto& clients = group.clients;
  std::size_t at = clients.size() - 1;
  for (TransitionId next = clients[at]; next != t;) std::swap(next, clients[--at]);
  clients.pop_back();
  if (clients.empty() && group.is_ready) set_ready(group, false);
}

inline void EnabledSet::look_at_gated(PlaceId gate) {
  const Place& place = places_[gate.value];
  const Gated* gated = gated_.data() + place.first_gated;
  for (const Gated* const end = gated_.data() + place.gated_end; gated != end; ++gated) {
    if (gated->queue != kNone) {
      open_or_close(queues_[gated->queue]);
      continue;
    }
    Group& group = groups_[gated->group];
    if (group.clients.empty()) continue;
    const bool is_ready = gates_are_empty(group);
    if (is_ready != group.is_ready) set_ready(group, is_ready);
  }
}

inline void EnabledSet::look_at_served(TransitionId t) {
  Candidate& candidate = candidates_[t.value];
  const std::uint32_t failing = first_failing(candidate);
  if (failing == candidate.end || candidate.state != State::kListed) return;
  leave_group(t, groups_[candidate.group]);
  wait_for(failing, candidate);
}

// Examines the watchers of one place. A transition that starts to watch the place during the loop
// is inserted at the front, which the loop has already passed. Only the current transition is
// removed.
inline void EnabledSet::look_at_watchers(std::uint32_t first) {
  for (std::uint32_t c = first, next; c != kNone; c = next) {
    const Condition& condition = conditions_[c];
    next = condition.next;
    if (!holds(condition)) continue;
    stop_watching(condition);
    look_at(condition.transition);
  }
}

void EnabledSet::look_at_sharing() {
  before_.swap(sharing_);
  sharing_.clear();
  for (const TransitionId t : before_) look_at(t);
  std::swap(sharing_, found_);
}

// Transitions that are still enabled are already in order.
void EnabledSet::merge_found() {
  std::sort(found_.begin(), found_.end());
  const auto middle = static_cast<std::ptrdiff_t>(sharing_.size());
  sharing_.insert(sharing_.end(), found_.begin(), found_.end());
  std::inplace_merge(sharing_.begin(), sharing_.begin() + middle, sharing_.end());
  found_.clear();
}

void EnabledSet::update(std::span<const TransitionId> served) {
  if (!sharing_.empty()) look_at_sharing();
  before_.swap(unshared_);
  unshared_.clear();
  for (const TransitionId t : before_) look_at(t);
  for (const TransitionId t : served) look_at_served(t);
  for (const PlaceId p : changed_gates_) look_at_gated(p);
  changed_gates_.clear();
  for (const std::uint32_t queue : changed_hubs_) open_or_close(queues_[queue]);
  changed_hubs_.clear();
  for (const TransitionId t : with_more_) {
    if (candidates_[t.value].state == State::kLacksOwn) look_at(t);
  }
  with_more_.clear();
  for (const PlaceId p : changed_) look_at_watchers(places_[p.value].watcher);
  changed_.clear();
  if (!found_.empty()) merge_found();
}

}  // namespace pnsim
