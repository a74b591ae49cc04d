// Delays found in a net by their arcs: while one runs, nothing but the counting of its steps can
// happen to its places, so an engine need not look at it until it ends.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Of two kinds, by arcs alone.
//
// A delay: two places and two transitions, where no other transition takes from the places, no
// inhibitor and no observable asks for `passed`, and nothing else fills `passed`:
//
//   tick: 2 wait -> wait + passed        one step passes
//   end:  wait + length passed -> ...    after `length` steps
//
// It runs from a marking with length + 1 tokens in `wait` and none in `passed`: tick fires in
// `length` steps, then end.
//
// A countdown: a place from which nothing but `tick` takes, one token a step; it runs while it is
// marked, and tokens that come meanwhile are so many steps more.
//
//   tick: wait -> nothing
//
// While either runs `wait` is marked, which is all that goals and inhibitors ask.
struct Timer {
  PlaceId wait, passed;  // the same place twice: a countdown
  TransitionId tick;
  Tokens length = 0;  // of a delay

  bool is_countdown() const { return wait == passed; }
};

std::vector<Timer> find_timers(const Net& net);

}  // namespace pnsim
