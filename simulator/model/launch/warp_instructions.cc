#include "simulator/model/launch/warp_instructions.h"

#include "simulator/model/launch/program.h"

namespace pnsim {
namespace {

double sum_of(const InstructionCounts& c) {
  return static_cast<double>(c.arithmetic) + static_cast<double>(c.shared) +
         static_cast<double>(c.global);
}

}  // namespace

WarpInstructions::WarpInstructions(const Launch& launch) {
  for (const Segment& segment : launch.segments) segments_.push_back(sum_of(segment.counts()));
  for (const WarpKind& kind : launch.warp_kinds) {
    kinds_.push_back(of(kind.program));
    all_ += static_cast<double>(kind.warps) * kinds_.back();
  }
}

double WarpInstructions::of(std::span<const ProgramItem> program) const {
  double sum = 0;
  for_each_item(program, [&](const ProgramPlace& place) {
    if (!place.is_loop()) sum += static_cast<double>(place.executions) * once(place.item);
  });
  return sum;
}

double WarpInstructions::once(const ProgramItem& item) const {
  return item.segment ? segments_[*item.segment] : sum_of(item.counts);
}

}  // namespace pnsim
