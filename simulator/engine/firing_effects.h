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
  explicit FiringEffects(const Net& net);

  std::span<const Arc> takes(TransitionId t) const {
    return {arcs_.data() + start_[2 * t.value], arcs_.data() + start_[2 * t.value + 1]};
  }
  std::span<const Arc> gives(TransitionId t) const {
    return {arcs_.data() + start_[2 * t.value + 1], arcs_.data() + start_[2 * t.value + 2]};
  }
  // Gives back what it takes.
  bool is_neutral(TransitionId t) const { return start_[2 * t.value] == start_[2 * t.value + 2]; }

 private:
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> start_;  // [2 t] of what t takes, [2 t + 1] of what it gives
};

}  // namespace pnsim
