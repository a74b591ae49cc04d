#include "simulator/model/launch/executions.h"

namespace pnsim {

void add_executions(const std::vector<ProgramItem>& program, double times,
                    std::vector<double>& to) {
  for (const ProgramItem& item : program) {
    const double here = times * static_cast<double>(item.repeat);
    if (item.segment) {
      to[*item.segment] += here;
    } else {
      add_executions(item.body, here, to);
    }
  }
}

std::vector<double> executions_of(const Launch& launch) {
  std::vector<double> executions(launch.segments.size(), 0.0);
  for (const WarpKind& kind : launch.warp_kinds) {
    add_executions(kind.program, static_cast<double>(kind.warps), executions);
  }
  return executions;
}

std::vector<bool> straight_segments(const Launch& launch) {
  std::vector<double> in_loops(launch.segments.size(), 0.0);
  for (const WarpKind& kind : launch.warp_kinds) {
    for (const ProgramItem& item : kind.program) {
      if (item.repeat > 1) add_executions({item}, 1, in_loops);
    }
  }
  std::vector<bool> out;
  for (const double executions : in_loops) out.push_back(executions == 0);
  return out;
}

namespace {

// Up to the first access, or the first loop, in which warps come apart.
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
