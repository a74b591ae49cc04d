// Where in the net of a template the states are to be read over which its steps are shared out.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/template/instantiate.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

// For the net that instantiate() makes of the same arguments: its schedulers, its warps, then each
// of its units. Of several rows of one name the first has the state. Error 2 when the template has
// no "reasons".
std::vector<UnitStates> unit_states_of(const NetTemplate& net_template,
                                       const ParameterValues& overrides);

// UnitStates::states of these units: names in the order of the rows, each once, then the rest.
std::vector<std::string> state_names(const UnitSpec& spec);

}  // namespace pnsim
