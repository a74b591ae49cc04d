// Invariants of a net. A P-invariant is a weighted token sum that firing does not change. A
// T-invariant is a cycle of firings that restores the marking. Bounds of places follow from them.
// Inhibitor arcs are ignored because they only forbid firings. The results hold for steps as well
// as for single firings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/net/elimination.h"
#include "simulator/net/net.h"

namespace pnsim {

// Tokens that one firing of t adds to each place that it changes (negative: removes), by place.
SparseRow effect_of(const Net& net, TransitionId t);

// A weighted sum of tokens: sum of weight * M(place) over `terms` (index = place, weights > 0).
struct PlaceSum {
  SparseRow terms;
  // True: a P-invariant, every firing keeps the sum. False: the sum can only fall, because
  // transitions without outputs reduce it and all others keep it.
  bool constant = true;
  std::optional<Tokens> initial;  // the sum at M0; nothing when it exceeds 2^62
};

struct PlaceInvariants {
  // The sums of minimal support. With `stopped`, the nonnegative members of a basis.
  std::vector<PlaceSum> sums;
  std::string stopped;  // why not all minimal sums were computed; "" when they were
  // Number of independent weighted sums of either sign that every firing keeps, or that only
  // transitions without outputs reduce. Known when `stopped` is set and the basis could be
  // computed.
  std::optional<std::size_t> basis_size;
};

// Minimal x >= 0 with x^T C = 0, where C[p][t] is the effect of t on p. To find the falling sums,
// each transition without outputs gets a virtual output place.
PlaceInvariants place_invariants(const Net& net, const EliminationLimits& limits = {});

struct TransitionInvariants {
  std::vector<SparseRow> cycles;  // firings by transition; of minimal support
  std::string stopped;            // why the cycles were not computed; "" when they were
};

// Minimal y >= 0 with C y = 0: firing each transition t y[t] times restores the marking.
TransitionInvariants transition_invariants(const Net& net, const EliminationLimits& limits = {});

// The upper bound of the tokens of each place, if the invariants prove one: initial / weight, and
// M0 where no transition adds tokens. An empty entry means that no bound was found; the place may
// still be bounded.
std::vector<std::optional<Tokens>> place_bounds(const Net& net, const PlaceInvariants& invariants);

// Proves from the place sums that markings are impossible. The net and the invariants must outlive
// it.
class SumProof {
 public:
  SumProof(const Net& net, const PlaceInvariants& invariants);

  // A place sum that M(p) >= weight for all of `needs` (by place, one entry per place) would
  // exceed. Null when no single sum excludes it.
  const PlaceSum* refutes(std::span<const Arc> needs) const;

 private:
  struct Part {
    std::uint32_t sum;
    std::int64_t weight;
  };

  const PlaceInvariants& invariants_;
  std::vector<std::vector<Part>> parts_;         // [place] sums that contain it
  mutable std::vector<unsigned __int128> need_;  // [sum], 0 between calls
};

}  // namespace pnsim
