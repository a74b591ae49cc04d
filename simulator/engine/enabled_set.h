// The enabled transitions, kept up to date from step to step instead of looked for anew.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simulator/engine/hubs.h"
#include "simulator/net/net.h"

namespace pnsim {

// A transition that is not enabled watches one place that keeps it so, and is looked at again only
// when that place has changed so that it does not any more. A client of a hub (hubs.h) for which all
// but the hub is as it should be stands in the hub's list: it costs nothing while it waits, and leaves
// when it has fired or a place that it wants empty, and watches, is marked. Any other enabled one is
// looked at in every step. So a step costs what changes; what the net holds besides costs nothing.
class EnabledSet {
 public:
  // A hub and the clients that lack nothing but its tokens, in index order.
  struct Queue {
    PlaceId place;
    Tokens weight = 1;  // of each client
    std::vector<TransitionId> clients{};
    bool is_open = false;  // there are clients, and tokens for one of them at least
    std::uint32_t at = 0;  // in open(), if it is
  };

  // Both must outlive the set; it speaks of `marking` as it is when update() is called. Who is left out is
  // never listed: somebody else looks after it.
  EnabledSet(const Net& net, const Marking& marking, std::span<const TransitionId> left_out = {});

  // M(p) is less, or more, than it was. Of what has been both it is enough to note one after the other.
  void note_less(PlaceId p) {
    const Place& place = places_[p.value];
    const bool can_matter = place.watcher != kNone && marking_[p.value] == 0;  // who watches an input waits for more
    if (can_matter || place.queue != kNone) changed_.push_back(p);
  }
  void note_more(PlaceId p) {
    const Place& place = places_[p.value];
    if (place.watcher != kNone || place.queue != kNone) changed_.push_back(p);
  }
  // A client of an open queue has fired: nobody else takes from its places.
  void note_served(TransitionId t) { served_.push_back(t); }

  void update();

  // As of the last update, the enabled transitions are of three kinds: those that share no place with
  // another taker, in no order; the clients of the open queues; and all others, in index order.
  std::span<const TransitionId> alone() const { return alone_; }
  std::span<Queue* const> open() const { return open_; }
  std::span<const TransitionId> sharing() const { return sharing_; }
  bool empty() const { return alone_.empty() && open_.empty() && sharing_.empty(); }
  std::size_t size() const;

 private:
  static constexpr std::uint32_t kNone = Hubs::kNone;

  // An input arc asks for min tokens or more, an inhibitor (min = 0) for none. Conditions that watch a
  // place are a list.
  struct Condition {
    PlaceId place;
    TransitionId transition;
    Tokens min;
    std::uint32_t next, previous;  // or kNone
  };
  enum class Kind : std::uint8_t { kAlone, kSharing, kClient, kNever };
  // What is asked of a transition together lies together.
  struct Candidate {
    std::uint32_t first, end;  // of its conditions, but for its hub, in conditions_
    std::uint32_t queue;       // of its hub, in queues_, or kNone
    Kind kind;
    bool is_queued = false;
  };
  struct Place {
    std::uint32_t watcher = kNone;  // the first of the list, in conditions_
    std::uint32_t queue = kNone;    // whose hub it is, in queues_
  };

  void add_conditions(const Net& net, std::uint32_t t, std::uint32_t queue);
  bool holds(const Condition& c) const {
    const Tokens tokens = marking_[c.place.value];
    return c.min > 0 ? tokens >= c.min : tokens == 0;
  }
  // The first of a transition that does not hold, or the end of its conditions.
  std::uint32_t first_failing(const Candidate& candidate) const {
    std::uint32_t c = candidate.first;
    while (c != candidate.end && holds(conditions_[c])) ++c;
    return c;
  }
  void watch(std::uint32_t c);
  void stop_watching(std::uint32_t c);
  void look_at(TransitionId t);
  void look_at_served(TransitionId t);
  void look_at_watchers(PlaceId p);
  void look_at_sharing();
  void join_queue(TransitionId t, Candidate& candidate);
  void leave_queue(TransitionId t, Candidate& candidate);
  void open_or_close(Queue& queue);

  const Marking& marking_;
  std::vector<Condition> conditions_;  // of all transitions
  std::vector<Candidate> candidates_;  // [transition]
  std::vector<Place> places_;          // [place]
  std::vector<Queue> queues_;          // [hub]
  std::vector<Queue*> open_;
  std::vector<PlaceId> changed_;
  std::vector<TransitionId> alone_, sharing_, served_;
  std::vector<TransitionId> before_, found_;  // what was listed; who begins to share
};

}  // namespace pnsim
