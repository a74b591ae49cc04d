// Places that many transitions want, each of which shares nothing else with another transition: who
// waits for such a place can be kept in a list, and a look at the place and its gates says who is
// enabled.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// A transition is dead when it can never be enabled: nobody fills a place that it finds too empty,
// or it wants tokens in a place that must be empty. Dead ones are left out of all that follows.
//
// A place is implied when each of its takers takes as many tokens from a place of its own, and it
// holds what these places hold together: at M0, and since each firing changes both alike, ever
// after. Then it never keeps anybody from firing: no step wants more of it than it has.
//
// A hub is a place with two takers or more, its clients, all with one weight, none of which has
// another input place with other takers that is not implied. So clients compete for the hub only,
// and for nothing else: a contested hub is a conflict of its own, whatever else happens in the
// step.
//
// A place that clients want empty is a gate. Clients of a hub that follow each other in index order
// and have the same gates are a group: they pass or wait together. The first gate that all groups
// have is the hub's own.
struct Hubs {
  struct Hub {
    PlaceId place;
    Tokens weight;
    std::optional<PlaceId> gate{};
  };
  struct Group {
    std::uint32_t hub;           // in hubs
    std::vector<PlaceId> gates;  // but for the hub's own
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::vector<Hub> hubs;
  std::vector<Group> groups;              // those of a hub in index order of their clients
  std::vector<std::uint32_t> group_of;    // [transition] position in groups, or kNone
  std::vector<char> is_dead;              // [transition]
  std::vector<std::uint32_t> only_taker;  // [place] the transition whose own place it is, or kNone
  std::vector<char>
      is_sharing;  // [transition] others take from an input place of it that is not implied
  std::vector<char> is_implied;  // [place]
};

Hubs find_hubs(const Net& net);

}  // namespace pnsim
