#include "simulator/model/edge_turns.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulator/model/executions.h"

namespace pnsim {
namespace {

constexpr double kNearlyWhole = 0.02;  // warps of a block
constexpr double kMostEdges = 0.5;     // of the warps

// Two turns of segments of which one loads.
bool is_twice(const ProgramItem& item, const Launch& launch) {
  if (item.repeat != 2 || item.body.empty()) return false;
  const auto is_plain = [](const ProgramItem& inner) { return inner.segment && inner.repeat == 1; };
  const auto loads = [&](const ProgramItem& inner) {
    const auto& accesses = launch.segments[*inner.segment].accesses;
    return std::any_of(accesses.begin(), accesses.end(), [](const SegmentAccess& access) {
      return is_global_load(*find_opcode_class(access.access_class));
    });
  };
  return std::all_of(item.body.begin(), item.body.end(), is_plain) &&
         std::any_of(item.body.begin(), item.body.end(), loads);
}

// [segment] executions in second turns.
using SecondTurns = std::map<std::size_t, double>;

void add_second_turns(const std::vector<ProgramItem>& program, double times, const Launch& launch,
                      SecondTurns& turns) {
  for (const ProgramItem& item : program) {
    if (is_twice(item, launch)) {
      for (const ProgramItem& inner : item.body) turns[*inner.segment] += times;
    } else {
      add_second_turns(item.body, times * static_cast<double>(item.repeat), launch, turns);
    }
  }
}

// As many in each block, and of few of its warps.
bool are_edges(double second, double all, const Launch& launch) {
  const double of_block = second / static_cast<double>(launch.grid);
  const double whole = std::round(of_block);
  return whole >= 1 && std::abs(of_block - whole) < kNearlyWhole && second <= kMostEdges * (all - second);
}

// A body of which one segment is out is out: are others of it, as two loops may share segments?
bool leave_out_incomplete(const std::vector<ProgramItem>& program, const Launch& launch, SecondTurns& turns) {
  bool any = false;
  for (const ProgramItem& item : program) {
    if (!is_twice(item, launch)) {
      any = leave_out_incomplete(item.body, launch, turns) || any;
      continue;
    }
    const auto is_in = [&](const ProgramItem& inner) { return turns.contains(*inner.segment); };
    if (std::all_of(item.body.begin(), item.body.end(), is_in)) continue;
    for (const ProgramItem& inner : item.body) any = turns.erase(*inner.segment) > 0 || any;
  }
  return any;
}

// The segment with so many lanes, for `part` of the mean execution's.
Segment with_lanes(Segment segment, double part) {
  segment.lanes = std::min(segment.lanes * part, kWarpLanes);
  for (SegmentAccess& access : segment.accesses) {
    access.lanes = std::min(access.lanes * part, kWarpLanes);
    access.sectors *= part;
    access.wavefronts *= part;
    access.tags = std::max(access.tags * part, std::min(access.tags, static_cast<double>(access.count)));
  }
  return segment;
}

void part(const std::map<std::size_t, std::size_t>& second, std::vector<ProgramItem>& program,
          const Launch& launch) {
  std::vector<ProgramItem> parted;
  for (ProgramItem& item : program) {
    if (!is_twice(item, launch) || !second.contains(*item.body[0].segment)) {
      part(second, item.body, launch);
      parted.push_back(std::move(item));
      continue;
    }
    parted.insert(parted.end(), item.body.begin(), item.body.end());
    for (ProgramItem& inner : item.body) {
      inner.segment = second.at(*inner.segment);
      parted.push_back(std::move(inner));
    }
  }
  program = std::move(parted);
}

}  // namespace

Launch with_edge_turns_apart(Launch launch) {
  SecondTurns turns;
  for (const WarpKind& kind : launch.warp_kinds) {
    add_second_turns(kind.program, static_cast<double>(kind.warps), launch, turns);
  }
  const std::vector<double> all = executions_of(launch);
  std::erase_if(turns, [&](const auto& turn) { return !are_edges(turn.second, all[turn.first], launch); });
  const auto leave_out = [&](const WarpKind& kind) { return leave_out_incomplete(kind.program, launch, turns); };
  while (std::any_of(launch.warp_kinds.begin(), launch.warp_kinds.end(), leave_out)) {
  }
  if (turns.empty()) return launch;
  const Launch before = launch;
  std::map<std::size_t, std::size_t> second;
  for (const auto& [s, seconds] : turns) {
    const double mean = launch.segments[s].lanes, firsts = all[s] - seconds;
    const double left = std::clamp((mean * all[s] - kWarpLanes * firsts) / seconds, 1.0, mean);
    second[s] = launch.segments.size();
    launch.segments.push_back(with_lanes(launch.segments[s], left / mean));
    launch.segments[s] = with_lanes(launch.segments[s], (mean * all[s] - left * seconds) / firsts / mean);
  }
  for (WarpKind& kind : launch.warp_kinds) part(second, kind.program, before);
  return launch;
}

}  // namespace pnsim
