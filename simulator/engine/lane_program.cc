#include "simulator/engine/lane_program.h"

#include <algorithm>

namespace pnsim {

void LaneProgram::initial_marking_of(std::uint32_t lane, Marking& out) const {
  out.resize(split_.places[lane].size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = net_->initial_marking()[split_.places[lane][k].value];
  }
}

std::optional<std::uint32_t> LaneProgram::signal_of(PlaceId shared) const {
  const auto& places = split_.shared_places;
  const auto it = std::lower_bound(places.begin(), places.end(), shared);
  if (it == places.end() || *it != shared) return std::nullopt;
  return static_cast<std::uint32_t>(it - places.begin());
}

}  // namespace pnsim
