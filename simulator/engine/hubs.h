// Hubs: places shared by many transitions that share no other input place. The transitions that
// wait for a hub can be kept in a list; the tokens of the hub and of its gates decide which are
// enabled.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// A transition is dead when it can never be enabled: an input place stays too empty, or it needs
// tokens in a place that must be empty. Dead transitions are omitted from everything below.
//
// A place is implied when each of its takers takes as many tokens from a place of its own, and the
// place holds the sum of these own places. The sum holds at M0 and every firing preserves it. Such
// a place never disables a transition.
//
// A hub is a place with at least two takers, its clients, which all have the same arc weight. No
// client has another shared input place unless that place is implied. So clients compete only for
// the hub: a contested hub is a conflict of its own.
//
// A gate is a place that inhibits clients. A group is a run of clients of a hub, consecutive in
// index order, with the same gates: they are blocked together. The first gate that all groups share
// is the gate of the hub.
struct Hubs {
  struct Hub {
    PlaceId place;
    Tokens weight;
    std::optional<PlaceId> gate{};
  };
  struct Group {
    std::uint32_t hub;           // in hubs
    std::vector<PlaceId> gates;  // except the gate of the hub
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::vector<Hub> hubs;
  std::vector<Group> groups;              // the groups of a hub are in index order of their clients
  std::vector<std::uint32_t> group_of;    // [transition] position in groups, or kNone
  std::vector<char> is_dead;              // [transition]
  std::vector<std::uint32_t> only_taker;  // [place] its taker when there is only one, or kNone
  // [transition] True when it shares an input place that is not implied with other transitions.
  std::vector<char> is_sharing;
  std::vector<char> is_implied;  // [place]
};

Hubs find_hubs(const Net& net);

}  // namespace pnsim
