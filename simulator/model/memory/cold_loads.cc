#include "simulator/model/memory/cold_loads.h"

#include <algorithm>

namespace pnsim {
namespace {

constexpr double kMostlyFresh = 0.5;
constexpr double kEnoughWarps = 4;  // on an SM, to share most of what they read

bool loads_new_rows(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) {
                       const OpcodeClass& cls = *find_opcode_class(access.access_class);
                       return is_global_load(cls) && cls.result == LateResult::kGlobal &&
                              access.fresh > kMostlyFresh && is_of_rows(access);
                     });
}

bool stores(const Segment& segment) {
  return std::any_of(
      segment.accesses.begin(), segment.accesses.end(), [](const SegmentAccess& access) {
        const OpcodeClass& cls = *find_opcode_class(access.access_class);
        return cls.paper == InstructionClass::kGlobal && cls.result == LateResult::kNone;
      });
}

bool stores(const ProgramItem& item, const Launch& launch) {
  if (item.segment) return stores(launch.segments[*item.segment]);
  return std::any_of(item.body.begin(), item.body.end(),
                     [&](const ProgramItem& inner) { return stores(inner, launch); });
}

}  // namespace

std::vector<bool> loads_find_l1_empty(const Launch& launch, double sms) {
  std::vector<bool> out(launch.segments.size());
  const auto warps =
      static_cast<double>(launch.grid) * static_cast<double>(launch.warps_per_block());
  for (const WarpKind& kind : launch.warp_kinds) {
    bool has_stored = false;
    for (const ProgramItem& item : kind.program) {
      if (item.segment && item.repeat == 1 && !(has_stored && warps < kEnoughWarps * sms)) {
        out[*item.segment] = out[*item.segment] || loads_new_rows(launch.segments[*item.segment]);
      }
      has_stored = has_stored || stores(item, launch);
    }
  }
  return out;
}

}  // namespace pnsim
