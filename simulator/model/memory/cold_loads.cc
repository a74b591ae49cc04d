#include "simulator/model/memory/cold_loads.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

// Share of the sectors that no earlier load requested: from half on the row counts as new.
constexpr double kMostlyFresh = 0.5;
constexpr double kEnoughWarps = 4;  // on an SM, to share most of what they read

bool loads_new_rows(const Segment& segment, const std::vector<AccessPattern>& patterns) {
  for (std::size_t a = 0; a < patterns.size(); ++a) {
    const SegmentAccess& access = segment.accesses[a];
    const bool is_global = find_opcode_class(access.access_class)->result == LateResult::kGlobal;
    if (patterns[a].is_load && is_global && access.new_sector_share > kMostlyFresh &&
        patterns[a].coalesced)
      return true;
  }
  return false;
}

bool stores(const ProgramItem& item, const AccessPatterns& patterns) {
  if (item.segment) {
    const std::vector<AccessPattern>& accesses = patterns[*item.segment];
    return std::any_of(accesses.begin(), accesses.end(),
                       [](const AccessPattern& access) { return access.is_store; });
  }
  return std::any_of(item.body.begin(), item.body.end(),
                     [&](const ProgramItem& inner) { return stores(inner, patterns); });
}

}  // namespace

std::vector<bool> loads_find_l1_empty(const Launch& launch, const AccessPatterns& patterns,
                                      double sms) {
  std::vector<bool> out(launch.segments.size());
  const std::vector<bool> straight = straight_segments(launch);
  const auto warps =
      static_cast<double>(launch.grid) * static_cast<double>(launch.warps_per_block());
  for (const WarpKind& kind : launch.warp_kinds) {
    bool has_stored = false;
    for (const ProgramItem& item : kind.program) {
      const bool may_read_stored = has_stored && warps < kEnoughWarps * sms;
      if (item.segment && straight[*item.segment] && !may_read_stored) {
        out[*item.segment] = out[*item.segment] || loads_new_rows(launch.segments[*item.segment],
                                                                  patterns[*item.segment]);
      }
      has_stored = has_stored || stores(item, patterns);
    }
  }
  return out;
}

}  // namespace pnsim
