#include "simulator/model/cost/segment_context.h"

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/outstanding_loads.h"
#include "simulator/model/memory/cold_loads.h"

namespace pnsim {
namespace {

void mark_iteration_ends(const std::vector<ProgramItem>& program,
                         std::vector<SegmentContext>& contexts) {
  for (const ProgramItem& item : program) {
    if (item.segment && item.repeat > 1) contexts[*item.segment].ends_iteration = true;
    mark_iteration_ends(item.body, contexts);
    if (!item.body.empty() && item.repeat > 1 && item.body.back().segment) {
      contexts[*item.body.back().segment].ends_iteration = true;
    }
  }
}

}  // namespace

std::vector<SegmentContext> segment_contexts(const Launch& launch, const AccessPatterns& patterns,
                                             bool several_waves, double sms,
                                             const Heuristics& heuristics) {
  std::vector<SegmentContext> out(launch.segments.size());
  const std::vector<std::vector<std::size_t>> before = outstanding_before(launch);
  const std::vector<bool> straight = straight_segments(launch), opening = opening_segments(launch),
                          find_l1_empty = loads_find_l1_empty(launch, patterns, sms);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (heuristics.on(Heuristic::kEarlierLoadsOutstanding)) out[s].outstanding_before = before[s];
    out[s].is_straight = straight[s];
    out[s].is_opening = opening[s];
    out[s].finds_l1_empty =
        find_l1_empty[s] && !several_waves && heuristics.on(Heuristic::kRowsFindL1Empty);
  }
  for (const WarpKind& kind : launch.warp_kinds) mark_iteration_ends(kind.program, out);
  return out;
}

}  // namespace pnsim
