#include "simulator/model/memory_use.h"

#include <algorithm>
#include <cmath>

namespace pnsim {
namespace {

void add(const WarpLoad& one, double times, WarpLoad& sum) {
  sum.cycles += times * one.cycles;
  sum.l2_cycles += times * one.l2_cycles;
  sum.dram_cycles += times * one.dram_cycles;
  sum.l2_waits += times * one.l2_waits;
  sum.dram_waits += times * one.dram_waits;
}

WarpLoad load_of(const Segment& segment, const CostModel& model) {
  const SegmentCost cost = model.cost(segment);
  double loads = 0;
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    const bool is_load = cls.paper == InstructionClass::kGlobal && cls.result != LateResult::kNone;
    if (is_load) loads += static_cast<double>(access.count);
  }
  WarpLoad out{cost.work + std::max(cost.latency, cost.quick_latency), cost.l2, cost.dram, 0, 0};
  if (loads > 0) {
    out.l2_waits = model.l2_share(loads);
    out.dram_waits = model.dram_share(loads);
  }
  return out;
}

WarpLoad load_of(const std::vector<ProgramItem>& program, const std::vector<WarpLoad>& segments) {
  WarpLoad sum;
  for (const ProgramItem& item : program) {
    const auto times = static_cast<double>(item.repeat);
    add(item.segment ? segments[*item.segment] : load_of(item.body, segments), times, sum);
  }
  return sum;
}

}  // namespace

WarpLoad warp_load(const Launch& launch, const CostModel& model) {
  std::vector<WarpLoad> segments;
  for (const Segment& segment : launch.segments) segments.push_back(load_of(segment, model));
  WarpLoad sum;
  double warps = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    add(load_of(kind.program, segments), static_cast<double>(kind.warps), sum);
    warps += static_cast<double>(kind.warps);
  }
  WarpLoad mean;
  if (warps > 0) add(sum, 1 / warps, mean);
  return mean;
}

double use_of(double warps, double busy, double cycles, double waits, double queue) {
  const double asked = warps * busy, longer = waits * queue;
  if (asked <= 0 || cycles <= 0) return 0;
  const double use = longer > 0 ? (std::sqrt(cycles * cycles + 4 * longer * asked) - cycles) / (2 * longer)
                                : asked / cycles;
  return std::clamp(use, 0.0, 1.0);
}

}  // namespace pnsim
