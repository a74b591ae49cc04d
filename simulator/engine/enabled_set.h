// The enabled transitions, kept up to date from step to step instead of looked for anew.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "simulator/engine/hubs.h"
#include "simulator/net/net.h"

namespace pnsim {

// A transition that is not enabled is looked at again only when something changes that keeps it so:
// when one of its own places, from which nobody else takes, gets tokens, or else the place that it
// watches is as it should be. A client of a hub (hubs.h) whose own places are as they should be
// stands in the list of its group: it costs nothing while it waits for the hub and for its gates,
// and leaves when it has fired. Any other enabled one is looked at in every step. So a step costs
// what changes; what the net holds besides costs nothing.
class EnabledSet {
 public:
  static constexpr std::uint32_t kNone = Hubs::kNone;

  // Clients that lack nothing but gates that are empty and the hub's tokens, in index order.
  struct Group {
    std::uint32_t queue;              // in queues_
    std::uint32_t first_gate, gates;  // in gates_, and how many
    std::vector<TransitionId> clients{};
    bool is_ready = false;  // there are clients, and the gates are empty
  };
  // A hub.
  struct Queue {
    PlaceId place;
    Tokens weight = 1;  // of each client
    std::optional<PlaceId> gate{};
    std::vector<const Group*> ready{};  // in index order
    bool is_open =
        false;  // one is ready, there are tokens for a client at least, and none in the gate
    std::uint32_t at = 0;  // in open(), if it is

    std::size_t ready_clients() const {
      std::size_t size = 0;
      for (const Group* group : ready) size += group->clients.size();
      return size;
    }
  };

  // Both must outlive the set; it speaks of `marking` as it is when update() is called. Who is left
  // out is never listed: somebody else looks after it.
  EnabledSet(const Net& net, const Marking& marking, std::span<const TransitionId> left_out = {});
  EnabledSet(const EnabledSet&) = delete;  // its lists point at each other
  EnabledSet& operator=(const EnabledSet&) = delete;

  // To whom a place matters, whatever its tokens are: nobody else asks for it.
  struct Askers {
    std::uint32_t queue = kNone;  // whose hub it is
    std::uint32_t taker = kNone;  // the transition whose own place it is: nobody else takes from it
    bool gate = false;            // of a hub or a group
    bool others = false;          // who else does not want it marked, or shares it without a hub
  };
  const Askers& askers(PlaceId p) const { return places_[p.value].askers; }

  // M(p) is less, or more, than it was. Of what has been both it is enough to note one after the
  // other.
  void note_less(PlaceId p) {
    const Askers& askers = places_[p.value].askers;
    if (askers.queue != kNone) note_hub(askers.queue);
    if (askers.gate) note_gate(p);
    note_less_for_others(p);
  }
  [[gnu::always_inline]] void note_more(PlaceId p) {
    const Askers& askers = places_[p.value].askers;
    if (askers.queue != kNone) note_hub(askers.queue);
    if (askers.gate) note_gate(p);
    if (askers.taker != kNone) note_own(TransitionId{askers.taker});
    note_more_for_others(p);
  }
  // The same for one kind of askers: of a hub; of a gate; of who has got tokens in an own place; of
  // others.
  void note_hub(std::uint32_t queue) { changed_hubs_.push_back(queue); }
  void note_gate(PlaceId p) { changed_gates_.push_back(p); }
  void note_own(TransitionId t) { with_more_.push_back(t); }
  void note_less_for_others(PlaceId p) {
    if (marking_[p.value] == 0) note_more_for_others(p);
  }
  void note_more_for_others(PlaceId p) {
    if (places_[p.value].watcher != kNone) changed_.push_back(p);
  }

  // Any place may have changed: the next update, to which nobody was served, looks at each
  // transition.
  void forget();
  // `served`: the clients of open queues that have fired since the last update.
  void update(std::span<const TransitionId> served = {});

  // As of the last update, the enabled transitions are of three kinds: those that share no place
  // with another taker, in no order; the clients of the ready groups of open queues; and all
  // others, in index order.
  std::span<const TransitionId> alone() const { return alone_; }
  std::span<Queue* const> open() const { return open_; }
  std::span<const TransitionId> sharing() const { return sharing_; }
  bool empty() const { return alone_.empty() && open_.empty() && sharing_.empty(); }
  std::size_t size() const;

 private:
  // M(p) must lie in [min, min + range], as in StepPlan. Conditions that watch a place are a list.
  struct Condition {
    PlaceId place;
    TransitionId transition;
    std::uint64_t min, range;
    std::uint32_t next = kNone, previous = kNone;
  };
  // Of a client: kListed is in its group.
  enum class Kind : std::uint8_t { kAlone, kSharing, kClient, kNever };
  enum class State : std::uint8_t { kLacksOwn, kWatches, kListed };
  // What is asked of a transition together lies together.
  struct Candidate {
    std::uint32_t first, others,
        end;  // of its conditions in conditions_, own places first; a client has no others
    std::uint32_t group;  // in groups_, or kNone
    PlaceId only;         // its one condition is that this is marked; kNone: it has others
    Kind kind;
    State state = State::kListed;
  };
  struct Place {
    std::uint32_t watcher = kNone;                 // the first of the list, in conditions_
    std::uint32_t first_gated = 0, gated_end = 0;  // in gated_: those that it is the gate of
    Askers askers;
  };
  // Who waits for a gate: a group, or all of a hub.
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
  // The first of a transition that does not hold, or the end of its conditions.
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
  std::vector<std::uint32_t> changed_hubs_;  // in queues_
  std::vector<PlaceId> changed_gates_;
  std::vector<TransitionId> with_more_;  // in their own places
  std::vector<PlaceId> changed_;         // of those that somebody watches
  std::vector<TransitionId> alone_, sharing_;
  std::vector<TransitionId> before_, found_;  // what was listed; who begins to share
};

}  // namespace pnsim
