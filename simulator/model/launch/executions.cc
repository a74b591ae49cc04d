#include "simulator/model/launch/executions.h"

namespace pnsim {

void add_executions(const std::vector<ProgramItem>& program, double times,
                    std::vector<double>& to) {
  for_each_item(program, [&](const ProgramPlace& place) {
    if (place.item.segment)
      to[*place.item.segment] += times * static_cast<double>(place.executions);
  });
}

std::vector<double> executions_of(const Launch& launch) {
  std::vector<double> executions(launch.segments.size(), 0.0);
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (place.item.segment)
      executions[*place.item.segment] += static_cast<double>(place.executions);
  });
  return executions;
}

std::vector<bool> straight_segments(const Launch& launch) {
  std::vector<bool> is_straight(launch.segments.size(), true);
  for (const WarpKind& kind : launch.warp_kinds) {
    for (const ProgramItem& outermost : kind.program) {
      if (outermost.repeat <= 1) continue;
      for_each_item(only(outermost), [&](const ProgramPlace& place) {
        if (place.item.segment && place.executions > 0) is_straight[*place.item.segment] = false;
      });
    }
  }
  return is_straight;
}

namespace {

// Warps are no longer in step after the first access or the first loop.
void mark_opening(const std::vector<ProgramItem>& program, const std::vector<Segment>& segments,
                  std::vector<bool>& opens) {
  for (const ProgramItem& item : program) {
    if (item.repeat > 1 || !item.segment) return;
    opens[*item.segment] = true;
    if (!segments[*item.segment].accesses.empty()) return;
  }
}

}  // namespace

std::vector<bool> opening_segments(const Launch& launch) {
  std::vector<bool> opens(launch.segments.size(), false);
  for (const WarpKind& kind : launch.warp_kinds) mark_opening(kind.program, launch.segments, opens);
  return opens;
}

double counter_of(const Launch& launch, const char* name) {
  const auto it = launch.counters.find(name);
  return it == launch.counters.end() ? 0 : static_cast<double>(it->second);
}

}  // namespace pnsim
