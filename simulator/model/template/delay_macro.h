// The delay macro of net templates: tokens leave a given number of steps after they enter. It
// expands to the places and transitions of the paper's latency gadget (t8, t9, p12, p16).
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json_reader.h"

namespace pnsim {

struct DelayPlace {
  std::string name;
  std::string meaning;
};

struct DelayArc {
  std::string place;
  std::string weight;  // expression
};

struct DelayTransition {
  std::string name;
  std::string meaning;
  std::vector<DelayArc> takes;
  std::vector<DelayArc> gives;
  bool is_start;  // also takes the arcs in the macro's "takes"
  bool is_end;    // also gives the arcs in the macro's "gives"
};

// {"name": d, "scope": s, "steps": L, "takes": arcs, "gives": arcs} becomes the places d_wait and
// d_passed and three transitions: d_start (-> d_wait L + 1), d_tick (d_wait 2 -> d_wait, d_passed)
// and d_end (d_wait, d_passed L ->). d_tick fires L times between start and end.
std::vector<DelayPlace> delay_places(const JsonReader& row);
std::vector<DelayTransition> delay_transitions(const JsonReader& row);

}  // namespace pnsim
