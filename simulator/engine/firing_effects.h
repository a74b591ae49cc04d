// The net change of a firing: inputs and outputs combined place by place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Places from which a transition takes as much as it gives are omitted.
class FiringEffects {
 public:
  // A bit set that the caller attaches to a decrease or an increase of a place; 0: none.
  struct Meaning {
    std::uint32_t kinds = 0, of = 0;
  };
  struct Change {
    Tokens tokens;
    PlaceId place;
    Meaning meaning;
  };

  // One meaning per place.
  FiringEffects(const Net& net, std::span<const Meaning> of_less, std::span<const Meaning> of_more);

  std::span<const Change> takes(TransitionId t) const {
    return {changes_.data() + start_[2 * t.value], changes_.data() + start_[2 * t.value + 1]};
  }
  std::span<const Change> gives(TransitionId t) const {
    return {changes_.data() + start_[2 * t.value + 1], changes_.data() + start_[2 * t.value + 2]};
  }
  // True when t returns exactly what it takes.
  bool is_neutral(TransitionId t) const { return start_[2 * t.value] == start_[2 * t.value + 2]; }

 private:
  std::vector<Change> changes_;
  std::vector<std::uint32_t> start_;  // [2 t]: decreases by t, [2 t + 1]: increases by t
};

}  // namespace pnsim
