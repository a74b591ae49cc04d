// Invariants of a net: weighted sums of tokens that firing does not change, cycles of firings that
// change no tokens, and the bounds of places that follow. Inhibitor arcs play no part: they only
// forbid firings. All of it holds under steps as well as for single firings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/net/elimination.h"
#include "simulator/net/net.h"

namespace pnsim {

// Tokens that one firing of t adds to (takes from, if negative) each place it changes, by place.
SparseRow effect_of(const Net& net, TransitionId t);

// A weighted sum of tokens: sum of weight * M(place) over `terms` (index = place, weights > 0).
struct PlaceSum {
  SparseRow terms;
  // True: a P-invariant, every firing keeps the sum. False: it can only fall, because transitions
  // without outputs take from it; all others keep it.
  bool constant = true;
  std::optional<Tokens> initial;  // the sum at M0; nothing when over 2^62
};

struct PlaceInvariants {
  // Those of minimal support; with `stopped`, the nonnegative members of a basis.
  std::vector<PlaceSum> sums;
  std::string stopped;  // why not all minimal ones were computed; "" when they were
  // Independent weighted sums of either sign that every firing keeps, or falls of which only
  // end transitions cause. Known when `stopped` and the basis could be computed.
  std::optional<std::size_t> basis_size;
};

// Minimal x >= 0 with x^T C = 0, C[p][t] = effect of t on p. To find the sums that only fall, each
// transition without outputs is given a place of its own that collects what it ends.
PlaceInvariants place_invariants(const Net& net, const EliminationLimits& limits = {});

struct TransitionInvariants {
  std::vector<SparseRow> cycles;  // firings by transition; of minimal support
  std::string stopped;            // why there are none computed; "" when they were
};

// Minimal y >= 0 with C y = 0: firing each transition t y[t] times leaves the marking as it was.
TransitionInvariants transition_invariants(const Net& net, const EliminationLimits& limits = {});

// The most tokens each place can ever hold, as far as the sums prove one: initial / weight, and M0
// where no transition adds tokens. Nothing: no bound was found, which does not mean there is none.
std::vector<std::optional<Tokens>> place_bounds(const Net& net, const PlaceInvariants& invariants);

// Answers what the place sums rule out. The net and the invariants must outlive it.
class SumProof {
 public:
  SumProof(const Net& net, const PlaceInvariants& invariants);

  // A sum that would have to be larger than it ever is if M(p) >= weight for all of `needs` (by
  // place, one entry a place); null when no single sum rules it out.
  const PlaceSum* refutes(std::span<const Arc> needs) const;

 private:
  struct Part {
    std::uint32_t sum;
    std::int64_t weight;
  };

  const PlaceInvariants& invariants_;
  std::vector<std::vector<Part>> parts_;         // [place] sums it is in
  mutable std::vector<unsigned __int128> need_;  // [sum], 0 between calls
};

}  // namespace pnsim
