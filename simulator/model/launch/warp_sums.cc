#include "simulator/model/launch/warp_sums.h"

#include <utility>

#include "simulator/model/launch/program.h"

namespace pnsim {
namespace {

double sum_of(const InstructionCounts& c) {
  return static_cast<double>(c.arithmetic) + static_cast<double>(c.shared) +
         static_cast<double>(c.global);
}

double sectors_of(const Segment& segment) {
  double sum = 0;
  for (const SegmentAccess& access : segment.accesses) sum += access.sectors;
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
  for (const Segment& segment : launch.segments) segments.push_back(sectors_of(segment));
  return {launch, std::move(segments), 0};
}

}  // namespace pnsim
