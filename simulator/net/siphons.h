// Siphons and traps of a net. A siphon is a set of places that stays empty once it is empty: every
// transition that adds to it also removes from it. A trap stays marked once it is marked: every
// transition that removes from it also adds to it. Both hold for any arc weights, under steps, and
// with any inhibitor arcs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

using PlaceSet = std::vector<PlaceId>;  // in index order, without repetition

// The union of all siphons (traps) inside `allowed`; empty when there is none.
PlaceSet largest_siphon_within(const Net& net, const PlaceSet& allowed);
PlaceSet largest_trap_within(const Net& net, const PlaceSet& allowed);

// The arcs in the form the siphon search uses. A trap is a siphon of the net with all arcs
// reversed.
struct SiphonFlow {
  std::vector<std::vector<std::uint32_t>> takers;  // [place] its output transitions
  std::vector<std::vector<std::uint32_t>> given;   // [transition] its output places
  std::vector<std::uint32_t> taken;                // [transition] number of its input places
};

// Finds the largest trap for many sets of one net.
class TrapFinder {
 public:
  explicit TrapFinder(const Net& net);
  PlaceSet largest_within(const PlaceSet& allowed) const;

 private:
  SiphonFlow flow_;
};

struct SiphonLimits {
  std::size_t max_places = 5'000;       // larger nets are not searched
  std::size_t max_sets = 2'000;         // siphons found before the search stops
  std::uint64_t max_work = 30'000'000;  // arcs examined: 10^8 take about a second
};

struct PlaceSets {
  std::vector<PlaceSet> sets;
  std::string stopped;  // why the list is incomplete; "" when it is complete
};

// The siphons (traps) that contain no smaller one, by problem partition: find one siphon, then
// search without each of its places in turn. Source: R. Cordone, L. Ferrarini, L. Piroddi,
// "Enumeration algorithms for minimal siphons in Petri nets based on place constraints", IEEE
// Trans. SMC-A 35, 2005. The number of siphons can be exponential, so `limits` bounds the search.
PlaceSets minimal_siphons(const Net& net, const SiphonLimits& limits = {});
PlaceSets minimal_traps(const Net& net, const SiphonLimits& limits = {});

}  // namespace pnsim
