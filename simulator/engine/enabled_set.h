// The enabled transitions, kept up to date from step to step instead of looked for anew.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/net/net.h"

namespace pnsim {

// Every input arc and every inhibitor is a condition "M(p) >= threshold" that must hold (input) or
// must not (inhibitor, threshold 1). A change of M(p) flips the conditions whose threshold it
// crosses and no others: a place that counts 20 steps down flips two of them in all.
class EnabledSet {
 public:
  EnabledSet(const Net& net, const Marking& marking);

  // M(p) goes from `before` to `after`.
  void change(PlaceId p, Tokens before, Tokens after);

  // The enabled transitions in index order.
  void list(std::vector<TransitionId>& out) const;

 private:
  struct Watcher {
    Tokens threshold;
    TransitionId transition;
    bool is_inhibitor;
  };
  void flip(const Watcher& watcher, bool reached);

  std::vector<Watcher> watchers_;                // of place p: [start[p], start[p + 1]), by threshold
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> failing_;           // [transition] conditions that do not hold
  std::vector<std::uint64_t> enabled_;           // bit t: failing_[t] == 0
};

}  // namespace pnsim
