// The enabled transitions, kept up to date from step to step instead of looked for anew.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// A transition that is not enabled watches one place that keeps it so, and is looked at again only
// when that place has changed. An enabled one is looked at in every step. So a step costs what is
// enabled and what might become so; what the net holds besides costs nothing.
class EnabledSet {
 public:
  // Both must outlive the set; it speaks of `marking` as it is when list() is called.
  EnabledSet(const Net& net, const Marking& marking);

  // M(p) has changed since the last list().
  void note_change(PlaceId p) { changed_.push_back(p); }

  // From now on t is never listed: somebody else looks after it.
  void leave_out(TransitionId t);

  // The enabled transitions in index order. Valid until the next call.
  std::span<const TransitionId> list();

 private:
  // M(p) must lie in [min, min + range]: an input arc is [W, inf), an inhibitor [0, 0].
  struct Condition {
    PlaceId place;
    std::uint64_t min;
    std::uint64_t range;
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void look_at(std::uint32_t t, std::vector<TransitionId>& enabled);

  const Marking& marking_;
  std::vector<Condition> conditions_;         // of t: [start_[t], start_[t + 1])
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> first_watcher_;  // [place] or kNone
  std::vector<std::uint32_t> next_watcher_;   // [transition] of the same place, or kNone
  std::vector<char> is_left_out_;             // [transition]
  std::vector<PlaceId> changed_;
  std::vector<TransitionId> enabled_, still_, new_;
};

}  // namespace pnsim
