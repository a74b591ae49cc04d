// The units of a net template as tracks of a picture: their names and states, and which unit each
// place belongs to.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "simulator/model/template/instantiate.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

inline constexpr std::uint32_t kNoUnit = std::numeric_limits<std::uint32_t>::max();

struct UnitTracks {
  UnitStates states;
  std::string kind;                // a unit in the singular: "warp", "scheduler"
  std::vector<std::string> names;  // [unit] "warp 5 (block 1)", or the name of the only unit
};

struct TemplateTracks {
  std::vector<UnitTracks> units;       // warps, schedulers, then the other units
  std::vector<std::uint32_t> warp_of;  // [place] the warp that the place lies in, else kNoUnit
};

// For the net that instantiate() builds from the same arguments. A unit whose state only repeats
// that of the schedulers is skipped. Error 3 when the template has no "reasons".
TemplateTracks unit_tracks_of(const NetTemplate& net_template, const ParameterValues& overrides);

}  // namespace pnsim
