// Siphons and traps of a net. A siphon is a set of places that stays empty once it is empty: every
// transition that gives to it takes from it. A trap stays marked once it is marked: every
// transition that takes from it gives to it. Both hold for arcs of any weight, under steps, and
// whatever inhibitors forbid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

using PlaceSet = std::vector<PlaceId>;  // in index order, each once

// The union of all siphons (traps) inside `allowed`: the largest one, empty when there is none.
PlaceSet largest_siphon_within(const Net& net, const PlaceSet& allowed);
PlaceSet largest_trap_within(const Net& net, const PlaceSet& allowed);

// The arcs as a siphon sees them. A trap is a siphon of the net with all arcs turned round.
struct SiphonFlow {
  std::vector<std::vector<std::uint32_t>> takers;  // [place] transitions that take from it
  std::vector<std::vector<std::uint32_t>> given;   // [transition] places it gives to
  std::vector<std::uint32_t> taken;                // [transition] number of places it takes from
};

// The same for many sets of one net.
class TrapFinder {
 public:
  explicit TrapFinder(const Net& net);
  PlaceSet largest_within(const PlaceSet& allowed) const;

 private:
  SiphonFlow flow_;
};

struct SiphonLimits {
  std::size_t max_places = 5'000;       // larger nets are not searched
  std::size_t max_sets = 2'000;         // found before the search stops
  std::uint64_t max_work = 30'000'000;  // arcs looked at: 10^8 take about a second
};

struct PlaceSets {
  std::vector<PlaceSet> sets;
  std::string stopped;  // why the list is not complete; "" when it is
};

// The siphons (traps) that contain no smaller one. A search by problem partition (R. Cordone,
// L. Ferrarini, L. Piroddi, "Enumeration algorithms for minimal siphons in Petri nets based on
// place constraints", IEEE Trans. SMC-A 35, 2005): find one, then search on without each of its
// places in turn. There may be exponentially many: bounded by `limits`.
PlaceSets minimal_siphons(const Net& net, const SiphonLimits& limits = {});
PlaceSets minimal_traps(const Net& net, const SiphonLimits& limits = {});

}  // namespace pnsim
