// Finds the places in the net of a template from which the states of units are read.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/template/instantiate.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

// For the net that instantiate() builds from the same arguments: its schedulers, its warps, then
// each of its units. When several rows have one name, the first determines the state. Error 2 when
// the template has no "reasons".
std::vector<UnitStates> unit_states_of(const NetTemplate& net_template,
                                       const ParameterValues& overrides);

// UnitStates::states of these units: each name once, in the order of the rows, then the default
// state.
std::vector<std::string> state_names(const UnitSpec& spec);

}  // namespace pnsim
