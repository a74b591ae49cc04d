#include "simulator/model/memory/cold_loads.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

// Share of the sectors that no earlier load requested: from half on the row counts as new.
constexpr double kMostlyFresh = 0.5;
constexpr double kEnoughWarps = 4;  // on an SM, to share most of what they read

bool is_new_row(const SegmentAccess& access, const AccessPattern& pattern) {
  const bool is_global = find_opcode_class(access.access_class)->result == LateResult::kGlobal;
  return pattern.is_load && is_global && access.new_sector_share > kMostlyFresh &&
         pattern.coalesced;
}

// New rows that a segment loads: those that differ from block to block, and those that do not.
struct NewRows {
  bool of_block = false, common = false;
};

NewRows new_rows(const Segment& segment, const std::vector<AccessPattern>& patterns) {
  NewRows out;
  for (std::size_t a = 0; a < patterns.size(); ++a) {
    if (!is_new_row(segment.accesses[a], patterns[a])) continue;
    (segment.accesses[a].addresses == Addresses::kCommon ? out.common : out.of_block) = true;
  }
  return out;
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

// [Launch::segments] true for segments in no loop that are not reached behind a store.
std::vector<bool> segments_before_stores(const Launch& launch, const AccessPatterns& patterns,
                                         double sms) {
  std::vector<bool> out(launch.segments.size());
  const std::vector<bool> straight = straight_segments(launch);
  const auto warps =
      static_cast<double>(launch.grid) * static_cast<double>(launch.warps_per_block());
  for (const WarpKind& kind : launch.warp_kinds) {
    bool has_stored = false;
    for (const ProgramItem& item : kind.program) {
      const bool may_read_stored = has_stored && warps < kEnoughWarps * sms;
      if (item.segment && straight[*item.segment] && !may_read_stored) out[*item.segment] = true;
      has_stored = has_stored || stores(item, patterns);
    }
  }
  return out;
}

// Sectors of common rows that an SM misses, divided by those that one warp requests; at most 1.
double missed_of_common(const Launch& launch, const AccessPatterns& patterns, const LoadRows& loads,
                        const std::vector<bool>& looked_at, double sms) {
  const std::vector<double> executions = executions_of(launch);
  const double used_sms = std::min(sms, static_cast<double>(launch.grid));
  double missed = 0, requested = 0;
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    if (!looked_at[s]) continue;
    for (std::size_t a = 0; a < patterns[s].size(); ++a) {
      const SegmentAccess& access = launch.segments[s].accesses[a];
      if (access.addresses != Addresses::kCommon || !is_new_row(access, patterns[s][a])) continue;
      requested += access.sectors * access.new_sector_share;
      missed += executions[s] * access.sectors * (1 - loads[s][a].l1_hits) / used_sms;
    }
  }
  return requested > 0 ? std::min(missed / requested, 1.0) : 0;
}

}  // namespace

std::vector<double> shares_not_in_l1(const Launch& launch, const AccessPatterns& patterns,
                                     const LoadRows& loads, double sms) {
  const std::vector<bool> looked_at = segments_before_stores(launch, patterns, sms);
  const double of_common = missed_of_common(launch, patterns, loads, looked_at, sms);
  std::vector<double> out(launch.segments.size(), 0);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (!looked_at[s]) continue;
    const NewRows rows = new_rows(launch.segments[s], patterns[s]);
    out[s] = rows.of_block ? 1 : rows.common ? of_common : 0;
  }
  return out;
}

}  // namespace pnsim
