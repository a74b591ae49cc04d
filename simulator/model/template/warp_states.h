// Where in the net of a template the states of its warps are to be read: what pictures of a run
// show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/model/template/net_template.h"
#include "simulator/net/net.h"

namespace pnsim {

// Unit u of a place is the place with the index of its first instance plus u.
struct WarpStates {
  std::string unit;  // the scope: "warp"
  std::uint32_t units = 0;
  std::uint32_t schedulers = 0;              // 0: the template does not say who holds one
  std::vector<std::string> names;            // [state], then "idle"
  std::vector<std::vector<PlaceId>> places;  // [state] first instances
  std::vector<PlaceId> holding;              // first instances
  std::optional<PlaceId> alive;              // first instance; an empty one means idle

  std::size_t idle() const { return places.size(); }

  // The first state one of whose places is marked, else idle().
  std::size_t state_of(const Marking& marking, std::uint32_t unit) const;
  bool holds_scheduler(const Marking& marking, std::uint32_t unit) const;
};

// `net` was made from the template. Error 3 when the template names no warp states.
WarpStates warp_states(const NetTemplate& net_template, const Net& net);

}  // namespace pnsim
