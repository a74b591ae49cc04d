#include "simulator/model/cost/miss_share.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pnsim {
namespace {

// When a load touches many lines repeatedly in no order, the first touches come early:
// the mean number of loads that miss some line grows as 1 + 1/2 + ... + 1/lines (the coupon
// collector's sum).
double first_touches(double lines, const Heuristics& heuristics) {
  if (!heuristics.on(Heuristic::kFirstTouches)) return 1;
  double sum = 0;
  for (double line = 1; line <= lines + 0.5; ++line) sum += 1 / line;
  return sum;
}

// Lanes at a stride of some words, in a loop: the next iterations use the rest of the warp's lines.
bool are_own_rows(const AccessPattern& access, bool is_straight, const Heuristics& heuristics) {
  return !is_straight && !access.coalesced && access.lines_of_32_lanes <= kMostLinesOfRows &&
         heuristics.on(Heuristic::kStridedRows);
}

// Warps that request one sector of a load, where each warp seems to have sectors of its own: they
// are at addresses from memory, or they are rows of its own words (more than one warp where rows
// begin within a sector). 0 where all lanes load the same words at computed addresses, or all warps
// the same row, which one of them misses.
double requests_of_a_sector(const SegmentAccess& access, const AccessPattern& pattern, double hits,
                            double warps) {
  constexpr double kDifferentWords = 0.9;              // of the sectors that the lanes' words fill
  constexpr double kNearly = 0.01, kSeveralWarps = 4;  // of two warps half may hit by chance
  if (access.addresses == Addresses::kLoaded) return 1;
  if (warps >= kSeveralWarps && std::abs(hits - (1 - 1 / warps)) < kNearly) return 0;
  const double filled =
      access.lanes * static_cast<double>(access.bytes) * access.count / kSectorBytes;
  const bool is_own = pattern.coalesced && filled > 0 && access.sectors > kDifferentWords * filled;
  return is_own ? std::max(access.sectors / filled, 1.0) : 0;
}

// Warps that find their own words in L1 find what earlier iterations brought: they wait for nobody.
// A barrier in each iteration joins them to the warp that misses.
bool wait_alone(const SegmentView& view, const Heuristics& heuristics) {
  constexpr double kSeveral = 1.5;
  return view.executions_between_barriers >= kSeveral &&
         heuristics.on(Heuristic::kOwnRowsWaitAlone);
}

// The number of warps of the block that wait for a line when one of them misses it: those that hit
// it in L1, as far as the counted hits go. It is 1 for local memory and for lines of single lanes.
double waiting_warps(const SegmentView& view, std::size_t row, double lines,
                     const Heuristics& heuristics) {
  constexpr double kFewLines = 2;  // two rows of a tile: neighbouring warps request the same lines
  const AccessPattern& access = view.patterns[row];
  if (access.is_local || !heuristics.on(Heuristic::kWarpsWaitTogether)) return 1;
  const bool are_private = access.private_lines && heuristics.on(Heuristic::kPrivateLines);
  const double apart = std::max((are_private ? access.lines_of_32_lanes : lines) / kFewLines, 1.0);
  const double hits = view.loads[row].l1_hits;
  double sharing = hits < 1 ? 1 / (1 - hits) : view.executing_warps;
  const double requests =
      requests_of_a_sector(view.segment.accesses[row], access, hits, view.executing_warps);
  if (requests > 0 && wait_alone(view, heuristics)) sharing = std::min(sharing, requests);
  return std::clamp(sharing, 1.0, std::max(view.executing_warps / apart, 1.0));
}

// The largest of `count` numbers with a standard normal distribution, expected (asymptotic).
double largest_of(double count) {
  constexpr double kOfTwo = 0.564;  // 1 / sqrt(pi), exact
  if (count <= 1) return 0;
  if (count <= 2) return kOfTwo * (count - 1);
  const double most = std::sqrt(2 * std::log(count));
  const double less = (std::log(std::log(count)) + std::log(4 * std::numbers::pi)) / (2 * most);
  return std::max(most - less, kOfTwo);
}

}  // namespace

double slowest_warp_share(double share, const SegmentView& view, const Heuristics& heuristics) {
  if (share <= 0 || share >= 1 || !heuristics.on(Heuristic::kSlowestWarp)) return share;
  double hits = 1;
  for (std::size_t a = 0; a < view.patterns.size(); ++a) {
    if (!view.patterns[a].is_load) continue;
    // What copies bring is waited for later, by all warps.
    if (view.patterns[a].is_copy || view.patterns[a].is_bulk) return share;
    hits = std::min(hits, view.loads[a].l1_hits);
  }
  const double groups = std::max(view.executing_warps * (1 - hits), 1.0);
  const double more =
      largest_of(groups) * std::sqrt(share * (1 - share) / view.executions_between_barriers);
  return std::min({share + more, groups * share, 1.0});
}

double miss_share(const SegmentView& view, const Heuristics& heuristics,
                  double (*chance)(const LoadTraffic&)) {
  constexpr double kMostLines = 32;  // of a warp: a lane each
  double none = 1;
  for (std::size_t a = 0; a < view.patterns.size(); ++a) {
    const AccessPattern& access = view.patterns[a];
    if (!access.is_load) continue;
    const double lines = std::clamp(access.lines, 1.0, kMostLines);
    double misses = chance(view.loads[a]) * access.count;
    if (!are_own_rows(access, view.is_straight, heuristics)) {
      misses *= first_touches(lines, heuristics) * waiting_warps(view, a, lines, heuristics);
    }
    none *= 1 - std::min(misses, 1.0);
  }
  return slowest_warp_share(1 - none, view, heuristics);
}

}  // namespace pnsim
