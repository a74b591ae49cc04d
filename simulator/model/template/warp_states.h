// Finds the places in the net of a template from which the states of warps are read. Pictures of a
// run show these states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/model/template/net_template.h"
#include "simulator/net/net.h"

namespace pnsim {

// For unit u, the place is the index of the first instance plus u.
struct WarpStates {
  std::string unit;  // the scope: "warp"
  std::uint32_t units = 0;
  // 0: the template does not say which warps hold a scheduler
  std::uint32_t schedulers = 0;
  std::vector<std::string> names;            // [state], then "idle"
  std::vector<std::vector<PlaceId>> places;  // [state] first instances
  std::vector<PlaceId> holding;              // first instances
  std::optional<PlaceId> alive;              // first instance; an empty one means idle

  std::size_t idle() const { return places.size(); }

  // The first state with a marked place, otherwise idle().
  std::size_t state_of(const Marking& marking, std::uint32_t unit) const;
  bool holds_scheduler(const Marking& marking, std::uint32_t unit) const;
};

// `net` must have been built from the template. Error 3 when the template names no warp states.
WarpStates warp_states(const NetTemplate& net_template, const Net& net);

}  // namespace pnsim
