#include "simulator/model/launch/deal_out.h"

#include <algorithm>

namespace pnsim {

std::vector<WarpKind> deal_out(const InstructionCounts& totals, std::int64_t warps) {
  // Warps [0, cut) get one more of a class than the others; between cuts all warps have equal
  // counts.
  std::vector<std::int64_t> cuts{totals.arithmetic % warps, totals.shared % warps,
                                 totals.global % warps, warps};
  std::sort(cuts.begin(), cuts.end());
  const auto share = [&](std::int64_t total, std::int64_t warp) {
    return total / warps + (warp < total % warps ? 1 : 0);
  };
  std::vector<WarpKind> kinds;
  std::int64_t first = 0;
  for (const std::int64_t cut : cuts) {
    if (cut == first) continue;
    ProgramItem segment;
    segment.counts = {share(totals.arithmetic, first), share(totals.shared, first),
                      share(totals.global, first)};
    kinds.push_back({cut - first, {segment}});
    first = cut;
  }
  return kinds;
}

}  // namespace pnsim
