// Finds delays in a net by their arcs. While a delay runs, its places only count steps, so an
// engine can skip it until it ends.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// There are two kinds, recognised by arcs alone.
//
// A delay has two places and two transitions. No other transition takes from the places, no
// inhibitor and no observable reads `passed`, and no other transition fills `passed`:
//
//   tick: 2 wait -> wait + passed        one step passes
//   end:  wait + length passed -> ...    after `length` steps
//
// It runs from a marking with length + 1 tokens in `wait` and none in `passed`: tick fires in
// `length` steps, then end.
//
// A countdown is a place from which only `tick` takes, one token per step. It runs while it is
// marked; additional tokens extend it by as many steps.
//
//   tick: wait -> nothing
//
// While either runs, `wait` is marked; goals and inhibitors read nothing else.
struct Timer {
  PlaceId wait, passed;  // the same place twice for a countdown
  TransitionId tick;
  Tokens length = 0;  // for a delay only

  bool is_countdown() const { return wait == passed; }
};

std::vector<Timer> find_timers(const Net& net);

}  // namespace pnsim
