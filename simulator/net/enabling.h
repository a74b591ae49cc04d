// Which transitions of a net the structure keeps from ever being enabled, alone or together.
#pragma once

#include <string>
#include <vector>

#include "simulator/net/invariants.h"

namespace pnsim {

// Says nothing about reachability beyond what it proves. The net and the invariants must outlive
// it.
class EnablingProof {
 public:
  EnablingProof(const Net& net, const PlaceInvariants& invariants);

  // Why t is never enabled, in words with the names of template places; "" when nothing forbids
  // it.
  const std::string& never_enabled(TransitionId t) const { return blocks_[t.value].reason; }

  // It is never enabled because its arcs exclude each other, not because places it takes from are
  // left unmarked.
  bool contradicts_itself(TransitionId t) const { return blocks_[t.value].contradiction; }

  // No marking enables both: one takes what inhibits the other, both need more of a place sum than
  // there is, or one is never enabled at all.
  bool never_together(TransitionId t, TransitionId u) const;

  // never_together(t, u) looks at about cost_of(t) + cost_of(u) entries.
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
