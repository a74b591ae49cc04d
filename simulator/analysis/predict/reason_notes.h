// Words for the breakdown of --reasons: what a state means, and why schedulers are idle.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/launch.h"

namespace pnsim {

// What a warp or a scheduler does in this state of the SM net: "ready, but another warp issues". ""
// for states of other nets.
std::string meaning_of_state(const std::string& name);

// A launch with the cycles in which its schedulers have no warp. All numbers are shares of the
// cycles of all launches together.
struct IdleShares {
  const Launch* launch = nullptr;
  const DeviceProfile* device = nullptr;
  double all = 0;        // of this launch
  double launching = 0;  // before its first block
  double dispatch = 0;   // between blocks
  double empty = 0;      // no block is left to start
};

// Whole sentences: which launch leaves SMs or schedulers without work in at least a tenth of the
// cycles, and what would fill them. Where a larger block would fill them only if the grid does not
// shrink, the sentence says so.
std::vector<std::string> notes_on_idle(const std::vector<IdleShares>& launches);

}  // namespace pnsim
