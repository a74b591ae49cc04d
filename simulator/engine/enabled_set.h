// Keeps the set of enabled transitions up to date from step to step instead of searching for them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/hubs.h"
#include "simulator/net/net.h"

namespace pnsim {

// A disabled transition is examined again only when its blocking condition may have changed. Its
// blocking condition is one of its own places (places with no other taker), or else one place that
// it watches. A client of a hub (hubs.h) whose own places suffice is listed in its group. There it
// costs nothing while it waits for the hub and the gates, and it leaves after it fires. Every other
// enabled transition is examined in every step. So the cost of a step depends on what changes and
// not on the size of the net.
class EnabledSet {
 public:
  static constexpr std::uint32_t kNone = Hubs::kNone;

  // Clients that only lack empty gates or tokens of the hub, in index order.
  struct Group {
    std::uint32_t queue;              // in queues_
    std::uint32_t first_gate, gates;  // range in gates_
    std::vector<TransitionId> clients{};
    bool is_ready = false;  // it has clients, and its gates are empty
  };
  // The state of a hub.
  struct Queue {
    PlaceId place;
    Tokens weight = 1;  // of the arc of each client
    std::optional<PlaceId> gate{};
    std::vector<const Group*> ready{};  // in index order
    // A group is ready, the hub has tokens for at least one client, and the gate is empty.
    bool is_open = false;
    std::uint32_t at = 0;  // position in open(), if the queue is open

    std::size_t ready_clients() const {
      std::size_t size = 0;
      for (const Group* group : ready) size += group->clients.size();
      return size;
    }
  };

  // Both must outlive the set. It describes `marking` at the time of update(). Transitions in
  // `left_out` are never listed; the caller handles them.
  EnabledSet(const Net& net, const Marking& marking, std::span<const TransitionId> left_out = {});
  EnabledSet(const EnabledSet&) = delete;  // its lists contain pointers to each other
  EnabledSet& operator=(const EnabledSet&) = delete;

  // The components that must be notified when the tokens of a place change.
  struct Dependents {
    std::uint32_t queue = kNone;  // the queue of which the place is the hub
    std::uint32_t taker = kNone;  // the only transition that takes from the place
    bool gate = false;            // the place is the gate of a hub or a group
    // A transition requires it to be empty, or shares it without a hub.
    bool others = false;
  };
  const Dependents& dependents(PlaceId p) const { return places_[p.value].dependents; }

  // M(p) has decreased or increased. When a place did both, notifying the two one after the other
  // is enough.
  void note_less(PlaceId p) {
    const Dependents& dependents = places_[p.value].dependents;
    if (dependents.queue != kNone) note_hub(dependents.queue);
    if (dependents.gate) note_gate(p);
    note_less_for_others(p);
  }
  [[gnu::always_inline]] void note_more(PlaceId p) {
    const Dependents& dependents = places_[p.value].dependents;
    if (dependents.queue != kNone) note_hub(dependents.queue);
    if (dependents.gate) note_gate(p);
    if (dependents.taker != kNone) note_own(TransitionId{dependents.taker});
    note_more_for_others(p);
  }
  // Notifies one component: a hub, a gate, a transition with more tokens in an own place, or
  // watchers.
  void note_hub(std::uint32_t queue) { changed_hubs_.push_back(queue); }
  void note_gate(PlaceId p) { changed_gates_.push_back(p); }
  void note_own(TransitionId t) { with_more_.push_back(t); }
  void note_less_for_others(PlaceId p) {
    if (marking_[p.value] == 0) note_more_for_others(p);
  }
  void note_more_for_others(PlaceId p) {
    if (places_[p.value].watcher != kNone) changed_.push_back(p);
  }

  // Any place may have changed. The next update examines every transition; its `served` must be
  // empty.
  void forget();
  // `served`: the clients of open queues that have fired since the last update.
  void update(std::span<const TransitionId> served = {});

  // After an update, the enabled transitions are in three lists: transitions without a shared input
  // place, in no order; the clients of the ready groups of open queues; and all others, in index
  // order.
  std::span<const TransitionId> unshared() const { return unshared_; }
  std::span<Queue* const> open() const { return open_; }
  std::span<const TransitionId> sharing() const { return sharing_; }
  bool empty() const { return unshared_.empty() && open_.empty() && sharing_.empty(); }
  std::size_t size() const;

 private:
  // M(p) must lie in [min, min + range], as in StepPlan. The conditions that watch a place form a
  // linked list.
  struct Condition {
    PlaceId place;
    TransitionId transition;
    std::uint64_t min, range;
    std::uint32_t next = kNone, previous = kNone;
  };
  // State of a transition. A client in state kListed is in its group.
  enum class Kind : std::uint8_t { kUnshared, kSharing, kClient, kNever };
  enum class State : std::uint8_t { kLacksOwn, kWatches, kListed };
  // Data of one transition that is read together is stored together.
  struct Candidate {
    // Range in conditions_: conditions on own places from `first`, on other places from `others`.
    // A client has no others.
    std::uint32_t first, others, end;
    std::uint32_t group;  // in groups_, or kNone
    // The only condition is that this place is marked; kNone: there are others.
    PlaceId only;
    Kind kind;
    State state = State::kListed;
  };
  struct Place {
    std::uint32_t watcher = kNone;                 // head of the list, in conditions_
    std::uint32_t first_gated = 0, gated_end = 0;  // range in gated_ of what this gate blocks
    Dependents dependents;
  };
  // What a gate blocks: one group, or all groups of a hub.
  struct Gated {
    std::uint32_t queue = kNone, group = kNone;
  };

  void add_queues(const Hubs& hubs);
  void add_gates(const Hubs& hubs);

  void add_conditions(const Net& net, TransitionId t, const std::vector<char>& is_implied,
                      Candidate& candidate);
  bool holds(const Condition& c) const {
    return static_cast<std::uint64_t>(marking_[c.place.value]) - c.min <= c.range;
  }
  // The first condition of a transition that fails, or the end of its conditions.
  std::uint32_t first_failing(const Candidate& candidate) const {
    if (candidate.only.value != kNone) {
      return marking_[candidate.only.value] > 0 ? candidate.end : candidate.first;
    }
    std::uint32_t c = candidate.first;
    while (c != candidate.end && holds(conditions_[c])) ++c;
    return c;
  }
  void watch(std::uint32_t c) {
    Condition& condition = conditions_[c];
    std::uint32_t& first = places_[condition.place.value].watcher;
    condition.next = first;
    condition.previous = kNone;
    if (first != kNone) conditions_[first].previous = c;
    first = c;
  }
  void stop_watching(const Condition& c) {
    if (c.next != kNone) conditions_[c.next].previous = c.previous;
    (c.previous == kNone ? places_[c.place.value].watcher : conditions_[c.previous].next) = c.next;
  }
  void open_or_close(Queue& queue) {
    const bool is_open = !queue.ready.empty() && marking_[queue.place.value] >= queue.weight &&
                         !(queue.gate && marking_[queue.gate->value] != 0);
    if (queue.is_open != is_open) flip(queue);
  }
  void flip(Queue& queue);
  bool gates_are_empty(const Group& group) const {
    std::uint32_t g = group.first_gate;
    const std::uint32_t end = g + group.gates;
    while (g != end && marking_[gates_[g].value] == 0) ++g;
    return g == end;
  }
  void set_ready(Group& group, bool is_ready);
  void look_at_gated(PlaceId gate);
  void look_at(TransitionId t);
  void look_at_served(TransitionId t);
  void look_at_watchers(std::uint32_t first);
  void wait_for(std::uint32_t failing, Candidate& candidate);
  void look_at_sharing();
  void merge_found();
  void join_group(TransitionId t, Group& group);
  void leave_group(TransitionId t, Group& group);

  const Marking& marking_;
  std::vector<Condition> conditions_;  // of all transitions
  std::vector<Candidate> candidates_;  // [transition]
  std::vector<Place> places_;          // [place]
  std::vector<Queue> queues_;          // [hub]
  std::vector<Group> groups_;
  std::vector<PlaceId> gates_;  // of all groups
  std::vector<Gated> gated_;
  std::vector<Queue*> open_;
  std::vector<std::uint32_t> changed_hubs_;  // positions in queues_
  std::vector<PlaceId> changed_gates_;
  std::vector<TransitionId> with_more_;  // transitions with more tokens in an own place
  std::vector<PlaceId> changed_;         // changed places that have watchers
  std::vector<TransitionId> unshared_, sharing_;
  std::vector<TransitionId> before_, found_;  // sharing transitions listed before; newly found ones
};

}  // namespace pnsim
