#include "simulator/model/sm/edge_iterations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "simulator/model/launch/executions.h"

namespace pnsim {
namespace {

constexpr double kNearlyWhole = 0.02;  // warps of a block: largest distance from a whole number
constexpr double kMostEdges = 0.5;     // share of the warps that have a second iteration

// A loop of two iterations that contains a load.
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

// [segment] executions in second iterations.
using SecondIterations = std::map<std::size_t, double>;

// Skips inner loops: when such a loop is executed again, the state of L1 for its first iterations
// is unknown.
void add_second_iterations(const WarpKind& kind, const Launch& launch,
                           SecondIterations& iterations) {
  for (const ProgramItem& item : kind.program) {
    if (!is_twice(item, launch)) continue;
    for (const ProgramItem& inner : item.body)
      iterations[*inner.segment] += static_cast<double>(kind.warps);
  }
}

// Whether every block has the same number of second iterations, in few of its warps.
bool are_edges(double second, double all, const Launch& launch) {
  const double of_block = second / static_cast<double>(launch.grid);
  const double whole = std::round(of_block);
  return whole >= 1 && std::abs(of_block - whole) < kNearlyWhole &&
         second <= kMostEdges * (all - second);
}

// If one segment of a body was excluded, excludes all of them. Returns whether it excluded any: two
// loops may share segments, so the caller repeats it until it excludes none.
bool exclude_incomplete(const WarpKind& kind, const Launch& launch, SecondIterations& iterations) {
  bool changed = false;
  for (const ProgramItem& item : kind.program) {
    if (!is_twice(item, launch)) continue;
    const auto is_in = [&](const ProgramItem& inner) {
      return iterations.contains(*inner.segment);
    };
    if (std::all_of(item.body.begin(), item.body.end(), is_in)) continue;
    for (const ProgramItem& inner : item.body)
      changed = iterations.erase(*inner.segment) > 0 || changed;
  }
  return changed;
}

// Lanes of a second iteration if all first iterations have whole warps. Below 1, they cannot all
// have whole warps.
double lanes_left(const Segment& segment, double all, double seconds) {
  return (segment.lanes * all - kWarpLanes * (all - seconds)) / seconds;
}

// Splits a mean over `firsts` and `seconds` executions: each second one has `part` of the mean, but
// at least `floor`, and the first ones have the rest.
struct Parted {
  double first, second;
};
// A first iteration has at most `most`; any excess stays with the second iterations.
Parted parted(double mean, double part, double floor, double most, double firsts, double seconds) {
  const double all = mean * (firsts + seconds);
  const double second =
      std::max(std::min(std::max(mean * part, floor), mean), (all - most * firsts) / seconds);
  return {(all - second * seconds) / firsts, second};
}

// Returns the second iterations' segment; `segment` becomes the first iterations'.
Segment take_apart(Segment& segment, double part, double firsts, double seconds) {
  Segment second = segment;
  const auto take = [&](double Segment::*member) {
    const Parted both = parted(segment.*member, part, 1, kWarpLanes, firsts, seconds);
    segment.*member = both.first;
    second.*member = both.second;
  };
  take(&Segment::lanes);
  for (std::size_t a = 0; a < segment.accesses.size(); ++a) {
    const double count = segment.accesses[a].count;
    for (const auto member : {&SegmentAccess::lanes, &SegmentAccess::sectors,
                              &SegmentAccess::tag_lookups, &SegmentAccess::wavefronts}) {
      const bool is_lanes = member == &SegmentAccess::lanes;
      const double floor = is_lanes ? 1 : count,
                   most = is_lanes ? kWarpLanes : std::numeric_limits<double>::max();
      const Parted both = parted(segment.accesses[a].*member, part, floor, most, firsts, seconds);
      segment.accesses[a].*member = both.first;
      second.accesses[a].*member = both.second;
    }
  }
  return second;
}

void take_apart(const std::map<std::size_t, std::size_t>& second, const Launch& before,
                std::vector<ProgramItem>& program) {
  std::vector<ProgramItem> apart;
  for (ProgramItem& item : program) {
    if (!is_twice(item, before) || !second.contains(*item.body[0].segment)) {
      apart.push_back(std::move(item));
      continue;
    }
    apart.insert(apart.end(), item.body.begin(), item.body.end());
    for (ProgramItem& inner : item.body) {
      inner.segment = second.at(*inner.segment);
      apart.push_back(std::move(inner));
    }
  }
  program = std::move(apart);
}

}  // namespace

Launch with_edge_iterations_apart(Launch launch, std::vector<std::size_t>* origins) {
  if (origins) {
    origins->resize(launch.segments.size());
    std::iota(origins->begin(), origins->end(), std::size_t{0});
  }
  SecondIterations iterations;
  for (const WarpKind& kind : launch.warp_kinds) add_second_iterations(kind, launch, iterations);
  const std::vector<double> all = executions_of(launch);
  std::erase_if(iterations, [&](const auto& iteration) {
    const auto [s, seconds] = iteration;
    return !are_edges(seconds, all[s], launch) ||
           lanes_left(launch.segments[s], all[s], seconds) < 1;
  });
  const auto exclude = [&](const WarpKind& kind) {
    return exclude_incomplete(kind, launch, iterations);
  };
  while (std::any_of(launch.warp_kinds.begin(), launch.warp_kinds.end(), exclude)) {
  }
  if (iterations.empty()) return launch;
  const Launch before = launch;
  std::map<std::size_t, std::size_t> second;
  for (const auto& [s, seconds] : iterations) {
    const double part = lanes_left(before.segments[s], all[s], seconds) / before.segments[s].lanes;
    second[s] = launch.segments.size();
    if (origins) origins->push_back(s);
    launch.segments.push_back(take_apart(launch.segments[s], part, all[s] - seconds, seconds));
  }
  for (WarpKind& kind : launch.warp_kinds) take_apart(second, before, kind.program);
  return launch;
}

}  // namespace pnsim
