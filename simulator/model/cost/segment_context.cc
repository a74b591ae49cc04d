#include "simulator/model/cost/segment_context.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"
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

// Means over the warps that execute a segment.
void count_between_barriers(const Launch& launch, std::vector<SegmentContext>& contexts) {
  std::vector<double> executions(contexts.size()), stretches(contexts.size());
  for (const WarpKind& kind : launch.warp_kinds) {
    std::vector<double> own(contexts.size());
    add_executions(kind.program, 1, own);
    double barriers = 0;
    for (std::size_t s = 0; s < own.size(); ++s) {
      if (launch.segments[s].end == SegmentEnd::kBarrier) barriers += own[s];
    }
    for (std::size_t s = 0; s < own.size(); ++s) {
      if (own[s] <= 0) continue;
      executions[s] += static_cast<double>(kind.warps) * own[s];
      stretches[s] += static_cast<double>(kind.warps) * (1 + barriers);
    }
  }
  for (std::size_t s = 0; s < contexts.size(); ++s) {
    if (stretches[s] > 0)
      contexts[s].executions_between_barriers = std::max(executions[s] / stretches[s], 1.0);
  }
}

}  // namespace

std::vector<SegmentContext> segment_contexts(const Launch& launch, const AccessPatterns& patterns,
                                             const LoadRows& loads, bool several_waves, double sms,
                                             const Heuristics& heuristics) {
  std::vector<SegmentContext> out(launch.segments.size());
  std::vector<LoadsBefore> before = loads_before(launch);
  const std::vector<bool> straight = straight_segments(launch), opening = opening_segments(launch);
  const std::vector<double> warps = executing_warps(launch);
  const std::vector<double> not_in_l1 = shares_not_in_l1(launch, patterns, loads, sms);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (heuristics.on(Heuristic::kLoadsOutliveWaits)) out[s].loads_before = std::move(before[s]);
    out[s].is_straight = straight[s];
    out[s].executing_warps = warps[s];
    out[s].is_opening = opening[s];
    if (!several_waves && heuristics.on(Heuristic::kRowsFindL1Empty))
      out[s].not_in_l1 = not_in_l1[s];
  }
  for (const WarpKind& kind : launch.warp_kinds) mark_iteration_ends(kind.program, out);
  count_between_barriers(launch, out);
  return out;
}

}  // namespace pnsim
