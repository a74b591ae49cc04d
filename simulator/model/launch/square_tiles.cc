#include "simulator/model/launch/square_tiles.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/scaled_counters.h"

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kNearlyAllLanes = 30;

// The rows of a warp in square blocks, for words of some bytes.
struct Rows {
  double edge = 0;         // threads
  double rows = 1;         // of a warp
  double row_sectors = 1;  // of an aligned row of different words

  Rows(std::int64_t of, std::int64_t bytes)
      : edge(static_cast<double>(of)),
        rows(std::max(1.0, kWarpLanes / edge)),
        row_sectors(std::max(
            1.0, std::min(edge, kWarpLanes) * static_cast<double>(bytes) / kSectorBytes)) {}
};

// How many accesses of a row of the segment are of which sort.
struct Sorts {
  double tiles = 0, by_row = 0, by_column = 0;
  double row_extra = 0;   // sectors of a row of a tile beyond the aligned ones
  double line_extra = 0;  // lines of a tile beyond one a row
};

Sorts sorts_of(const SegmentAccess& access, const Rows& at, bool in_loop) {
  const auto count = static_cast<double>(access.count);
  Sorts out;
  double rest = count;  // different words in each row, or the same ones
  if (at.rows > 1) {
    out.by_column = std::clamp(count - (access.tag_lookups - count) / (at.rows - 1), 0.0, count);
    rest = count - out.by_column;
  }
  const double sectors = access.sectors - out.by_column * at.row_sectors;
  if (at.row_sectors > 1) {
    out.tiles = std::clamp((sectors / at.rows - rest) / (at.row_sectors - 1), 0.0, rest);
  } else {
    out.tiles = in_loop ? 0 : rest;  // one sector a row in both cases
  }
  out.by_row = rest - out.tiles;
  if (at.rows == 1 && in_loop) std::swap(out.tiles, out.by_column);
  if (out.tiles < 0.5) return out;
  const double own = sectors - out.by_row * at.rows;
  out.row_extra = std::max(0.0, own / out.tiles / at.rows - at.row_sectors);
  out.line_extra = std::max(0.0, access.tag_lookups / count - at.rows);
  return out;
}

void change_access(const Sorts& sorts, const Rows& to, SegmentAccess& access) {
  access.sectors = sorts.tiles * to.rows * (to.row_sectors + sorts.row_extra) +
                   sorts.by_row * to.rows + sorts.by_column * to.row_sectors;
  access.tag_lookups =
      sorts.tiles * (to.rows + sorts.line_extra) + sorts.by_row * to.rows + sorts.by_column;
}

// Sectors that all blocks read, relative to their threads: a tile with the neighbours of its rows
// where they are not aligned.
double tile_reads(const Rows& of, double row_extra) {
  constexpr double kAligned = 0.1;
  const double around = row_extra > kAligned ? 2 : 0;  // a row, or a sector, on both sides
  const double sectors = std::max(1.0, of.edge * of.row_sectors / std::min(of.edge, kWarpLanes));
  return (of.edge + around) * (sectors + around) / (of.edge * of.edge);
}

bool is_tiled(const SegmentAccess& access) {
  return (access.access_class == "global_load" || access.access_class == "global_store") &&
         access.lanes >= kNearlyAllLanes && access.count > 0;
}

bool is_whole(std::int64_t edge) { return edge > 0 && (edge % 32 == 0 || 32 % edge == 0); }

}  // namespace

void reshape_tiles(std::int64_t edge, std::int64_t new_edge, Launch& launch) {
  if (edge == new_edge || !is_whole(edge) || !is_whole(new_edge)) return;
  const Executed before = executed_by(launch);
  const std::vector<double> times = executions_of(launch);
  const std::vector<bool> straight = straight_segments(launch);
  double loads = 0, misses = 0;  // the latter relative to those before
  for (std::size_t s = 0; s < launch.segments.size(); ++s) {
    for (SegmentAccess& access : launch.segments[s].accesses) {
      if (!is_tiled(access)) continue;
      const Rows from(edge, access.bytes), to(new_edge, access.bytes);
      const Sorts sorts = sorts_of(access, from, !straight[s]);
      if (access.access_class == "global_load") {
        loads += times[s] * static_cast<double>(access.count);
        misses += times[s] * (sorts.tiles * tile_reads(to, sorts.row_extra) /
                                  tile_reads(from, sorts.row_extra) +
                              (sorts.by_row + sorts.by_column) * from.edge / to.edge);
      }
      change_access(sorts, to, access);
    }
  }
  scale_counters(before, executed_by(launch), loads > 0 ? misses / loads : 1, launch);
}

}  // namespace pnsim
