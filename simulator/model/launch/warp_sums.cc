#include "simulator/model/launch/warp_sums.h"

#include <algorithm>
#include <utility>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/opcodes.h"
#include "simulator/model/launch/program.h"

namespace pnsim {
namespace {

double sum_of(const InstructionCounts& c) {
  return static_cast<double>(c.arithmetic) + static_cast<double>(c.shared) +
         static_cast<double>(c.global);
}

// The share of the sectors that L1 does not have, by the launch's counters.
double missing_share(const Launch& launch, const char* hits, const char* sectors) {
  const double all = counter_of(launch, sectors);
  return all > 0 ? std::clamp(1 - counter_of(launch, hits) / all, 0.0, 1.0) : 1;
}

double sectors_of(const Segment& segment, double missing_loads, double missing_textures) {
  double sum = 0;
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClassId id = class_of(access).id;
    sum += access.sectors * (id == OpcodeClassId::kGlobalLoad ? missing_loads
                             : id == OpcodeClassId::kTexture  ? missing_textures
                                                              : 1);
  }
  return sum;
}

}  // namespace

WarpSums::WarpSums(const Launch& launch, std::vector<double> segments, double of_counts)
    : segments_(std::move(segments)), of_counts_(of_counts) {
  for (const WarpKind& kind : launch.warp_kinds) {
    kinds_.push_back(of(kind.program));
    all_ += static_cast<double>(kind.warps) * kinds_.back();
  }
}

double WarpSums::of(std::span<const ProgramItem> program) const {
  double sum = 0;
  for_each_item(program, [&](const ProgramPlace& place) {
    if (!place.is_loop()) sum += static_cast<double>(place.executions) * once(place.item);
  });
  return sum;
}

double WarpSums::once(const ProgramItem& item) const {
  return item.segment ? segments_[*item.segment] : of_counts_ * sum_of(item.counts);
}

WarpSums warp_instructions(const Launch& launch) {
  std::vector<double> segments;
  for (const Segment& segment : launch.segments) segments.push_back(sum_of(segment.counts()));
  return {launch, std::move(segments), 1};
}

WarpSums warp_sectors(const Launch& launch) {
  std::vector<double> segments;
  const double loads = missing_share(launch, "l1_load_hit_sectors", "l1_load_sectors"),
               textures = missing_share(launch, "texture_hit_sectors", "texture_sectors");
  for (const Segment& segment : launch.segments)
    segments.push_back(sectors_of(segment, loads, textures));
  return {launch, std::move(segments), 0};
}

}  // namespace pnsim
