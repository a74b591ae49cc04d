// What the steps of a run are shared out over: units of a net (warps, schedulers, a port ...), each
// of which is in one state in every step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/ids.h"

namespace pnsim {

// The state of a unit in step s, M being the marking before it:
// - one whose `takes` place lost a token to a transition in step s, or less than `steps` steps
//   before (the last such taking counts; of one step the longest, and of these the first state);
// - else that of the first row which holds: one of its marked places is marked in M and, when it
//   has such, one of its `is_while` places as well;
// - else the last state.
struct UnitStates {
  struct Row {
    std::uint32_t state = 0;
    bool has_while = false;
  };
  struct Mark {
    PlaceId place;
    std::uint32_t unit = 0, row = 0;
    bool is_while = false;
  };
  struct Take {
    PlaceId place;
    std::uint32_t unit = 0, state = 0;
    std::uint64_t steps = 1;  // at least 1
  };

  std::string name;  // "warps"
  std::uint32_t units = 0;
  std::vector<std::string> states;  // the last one is the rest
  std::vector<Row> rows;
  std::vector<Mark> marks;
  std::vector<Take> takes;
};

// [state] steps, summed over the units.
using StateTimes = std::vector<std::uint64_t>;

}  // namespace pnsim
