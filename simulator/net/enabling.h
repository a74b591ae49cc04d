// Proofs that transitions can never be enabled, alone or together, from the structure of the net.
#pragma once

#include <string>
#include <vector>

#include "simulator/net/invariants.h"

namespace pnsim {

// It proves only what the structure implies; other transitions may still be unreachable. The net
// and the invariants must outlive it.
class EnablingProof {
 public:
  EnablingProof(const Net& net, const PlaceInvariants& invariants);

  // Why t is never enabled, as text with the names of template places; "" when there is no such
  // proof.
  const std::string& never_enabled(TransitionId t) const { return blocks_[t.value].reason; }

  // True when t is never enabled because its own arcs exclude each other, and not because an input
  // place stays unmarked.
  bool contradicts_itself(TransitionId t) const { return blocks_[t.value].contradiction; }

  // True when no marking enables both: one removes what inhibits the other, both need more than a
  // place sum allows, or one is never enabled.
  bool never_together(TransitionId t, TransitionId u) const;

  // never_together(t, u) examines about cost_of(t) + cost_of(u) entries.
  std::size_t cost_of(TransitionId t) const { return costs_[t.value]; }

 private:
  struct Block {
    std::string reason;
    bool contradiction = false;
  };

  void find_costs(const PlaceInvariants& invariants);
  Block block_by_arcs(TransitionId t, const std::vector<char>& never_empty) const;
  std::string excess_of(TransitionId t, const PlaceSum& sum) const;
  void find_unreached();
  void explain_unreached(const std::vector<char>& reached);
  bool is_free(std::uint32_t t) const { return blocks_[t].reason.empty(); }

  const Net& net_;
  SumProof sums_;
  std::vector<Block> blocks_;       // [transition]
  std::vector<std::size_t> costs_;  // [transition]
};

}  // namespace pnsim
