// Strongly typed indices, so that a place cannot be mistaken for a transition.
#pragma once

#include <compare>
#include <cstdint>

namespace pnsim {

// Position of a place in Net, from 0 in the order of the file.
struct PlaceId {
  std::uint32_t value = 0;
  auto operator<=>(const PlaceId&) const = default;
};

// Position of a transition in Net, from 0 in the order of the file.
struct TransitionId {
  std::uint32_t value = 0;
  auto operator<=>(const TransitionId&) const = default;
};

}  // namespace pnsim
