// What a firing changes: its inputs and outputs added up place by place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// A place from which a transition takes as much as it gives is not named.
class FiringEffects {
 public:
  // What it is to whoever makes the changes that a place has less, or more; 0: nothing.
  struct Meaning {
    std::uint32_t kinds = 0, of = 0;
  };
  struct Change {
    Tokens tokens;
    PlaceId place;
    Meaning meaning;
  };

  // One meaning a place.
  FiringEffects(const Net& net, std::span<const Meaning> of_less, std::span<const Meaning> of_more);

  std::span<const Change> takes(TransitionId t) const {
    return {changes_.data() + start_[2 * t.value], changes_.data() + start_[2 * t.value + 1]};
  }
  std::span<const Change> gives(TransitionId t) const {
    return {changes_.data() + start_[2 * t.value + 1], changes_.data() + start_[2 * t.value + 2]};
  }
  // Gives back what it takes.
  bool is_neutral(TransitionId t) const { return start_[2 * t.value] == start_[2 * t.value + 2]; }

 private:
  std::vector<Change> changes_;
  std::vector<std::uint32_t> start_;  // [2 t] of what t takes, [2 t + 1] of what it gives
};

}  // namespace pnsim
