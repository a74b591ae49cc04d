// Attribution of the steps of a run. The units of a net (warps, schedulers, a port ...) each have
// exactly one state in every step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/ids.h"

namespace pnsim {

// The state of a unit in step s, where M is the marking before the step:
// - the state of a `takes` row, when a transition removed a token from its place in step s or less
// than `steps` steps before. The latest removal counts. Within one step the longest row counts, and
// among equal rows the first state.
// - otherwise the state of the first row that holds: one of its marked places is marked in M and,
// if it has `is_while` places, one of those as well;
// - otherwise the last state.
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
  std::vector<std::string> states;  // the last one is the default
  std::vector<Row> rows;
  std::vector<Mark> marks;
  std::vector<Take> takes;
  // At most one place of a unit's marks is marked at a time. Then `rows` is empty, `Mark::row` is
  // the state itself, and a change of the marking costs the same for any number of states.
  bool is_exclusive = false;
};

// [state] number of steps, summed over the units.
using StateTimes = std::vector<std::uint64_t>;

}  // namespace pnsim
