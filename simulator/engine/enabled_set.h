// The enabled transitions, kept up to date from step to step instead of looked for anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/engine/hubs.h"
#include "simulator/net/net.h"

namespace pnsim {

// A transition that is not enabled watches one place that keeps it so, and is looked at again only
// when that place has changed so that it does not any more. A client of a hub (hubs.h) for which all
// but the hub is as it should be stands in the hub's list, and watches all of its own places: it
// costs nothing while it waits. Any other enabled one is looked at in every step. So a step costs what
// changes; what the net holds besides costs nothing.
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

  // Both must outlive the set; it speaks of `marking` as it is when update() is called.
  EnabledSet(const Net& net, const Marking& marking);

  // M(p) has changed since the last update().
  void note_change(PlaceId p) { changed_.push_back(p); }

  // From now on t is never listed: somebody else looks after it.
  void leave_out(TransitionId t);

  void update();

  // As of the last update: the enabled transitions are list(), in index order, and the clients of the
  // open queues.
  std::span<const TransitionId> list() const { return enabled_; }
  std::span<Queue* const> open() const { return open_; }
  std::size_t size() const;

 private:
  // An input arc asks for min tokens or more, an inhibitor (min = 0) for none. Conditions that watch a
  // place are a ring, which starts at an entry of the place's own.
  struct Condition {
    PlaceId place;
    TransitionId transition;
    Tokens min;
    std::uint32_t next, previous;
  };
  // What is asked of a transition together lies together.
  struct Candidate {
    std::uint32_t first, end;  // of its conditions, but for its hub, in conditions_
    std::uint32_t queue;       // of its hub, in queues_, or Hubs::kNone
    bool is_left_out, is_queued;
  };

  void add_conditions(const Net& net, std::uint32_t t, std::uint32_t queue);
  void add_starts_of_rings(const Net& net);
  bool holds(const Condition& c) const {
    const Tokens tokens = marking_[c.place.value];
    return c.min > 0 ? tokens >= c.min : tokens == 0;
  }
  void watch(std::uint32_t c);
  void stop_watching(std::uint32_t c);
  void look_at(TransitionId t, std::vector<TransitionId>& enabled);
  void look_at_watchers(PlaceId p);
  void join_queue(TransitionId t);
  void leave_queue(TransitionId t);
  void open_or_close(Queue& queue);

  const Marking& marking_;
  std::vector<Condition> conditions_;  // of all transitions, then the start of each place's ring
  std::uint32_t rings_ = 0;            // where these begin
  std::vector<Candidate> candidates_;  // [transition]
  std::vector<Queue> queues_;          // [hub]
  std::vector<std::uint32_t> queue_at_;  // [place] in queues_, or Hubs::kNone
  std::vector<Queue*> open_;
  std::vector<PlaceId> changed_;
  std::vector<TransitionId> enabled_, still_, new_;
};

}  // namespace pnsim
