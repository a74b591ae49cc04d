#include "simulator/model/memory/load_misses.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/launch/sm_phases.h"
#include "simulator/model/memory/gathered_tables.h"
#include "simulator/model/memory/launch_sums.h"
#include "simulator/model/memory/whole_arrays.h"

namespace pnsim {
namespace {

// The source of a load's L1 misses: the counter of loads, the counter of texture fetches, or the
// remaining reads at L2. Atomics and bulk copies always miss.
enum class LoadKind { kCached, kFetch, kLocal, kAtomic, kBulk };
constexpr std::size_t kLoadKinds = 5;

LoadKind kind_of(const AccessPattern& access) {
  return access.is_fetch    ? LoadKind::kFetch
         : access.is_local  ? LoadKind::kLocal
         : access.is_atomic ? LoadKind::kAtomic
         : access.is_bulk   ? LoadKind::kBulk
                            : LoadKind::kCached;
}

// The order in which the loads of a loop body are dealt misses; kCommon is added for data that all
// blocks load.
enum Order : std::size_t { kStreams, kRowsOfLanes, kTables, kCommon, kOrders = 2 * kCommon };

bool has_loads(const std::vector<AccessPattern>& accesses) {
  return std::any_of(accesses.begin(), accesses.end(),
                     [](const AccessPattern& access) { return access.is_load; });
}

// [segment] the number of its body. Segments with loads in one loop body (without inner loops) have
// the number of the first of them; all others have their own number.
void add_bodies(const std::vector<ProgramItem>& program, const AccessPatterns& patterns,
                bool is_loop, std::vector<std::size_t>& body) {
  std::optional<std::size_t> first;
  for (const ProgramItem& item : program) {
    if (!item.segment) {
      add_bodies(item.body, patterns, true, body);
    } else if (is_loop && has_loads(patterns[*item.segment])) {
      if (!first) first = body[*item.segment];
      body[*item.segment] = *first;
    }
  }
}

std::vector<std::size_t> bodies_of(const Launch& launch, const AccessPatterns& patterns) {
  std::vector<std::size_t> body(launch.segments.size());
  std::iota(body.begin(), body.end(), std::size_t{0});
  for (const WarpKind& kind : launch.warp_kinds) add_bodies(kind.program, patterns, false, body);
  return body;
}

// [segment] the number of its path. Two segments with loads are on one path if some block executes
// both, or if both are on one path with a third. A block finds nothing in L1 that only blocks of
// other paths load, so no path comes first.
std::vector<std::size_t> paths_of_blocks(const Launch& launch, const AccessPatterns& patterns,
                                         const Heuristics& heuristics) {
  std::vector<std::size_t> path(launch.segments.size(), 0);
  if (!heuristics.on(Heuristic::kPathsMissApart)) return path;  // all are one
  std::iota(path.begin(), path.end(), std::size_t{0});
  const auto root_of = [&](std::size_t s) {
    while (path[s] != s) s = path[s];
    return s;
  };
  const auto join = [&](std::optional<std::size_t>& with, std::size_t s) {
    const auto [low, high] = std::minmax({root_of(with.value_or(s)), root_of(s)});
    path[high] = low;
    with = low;
  };
  std::vector<std::optional<std::size_t>>
      of_kind;  // [kind of warps] one of its segments with loads
  for (const WarpKind& kind : launch.warp_kinds) {
    of_kind.emplace_back();
    for_each_item(kind.program, [&](const ProgramPlace& place) {
      const auto& segment = place.item.segment;
      if (segment && has_loads(patterns[*segment])) join(of_kind.back(), *segment);
    });
  }
  for (const Phase& phase : phases_of(launch)) {
    std::optional<std::size_t> of_block;
    for (const std::size_t kind : phase.kinds) {
      if (kind < of_kind.size() && of_kind[kind]) join(of_block, *of_kind[kind]);
    }
  }
  for (std::size_t s = 0; s < path.size(); ++s) path[s] = root_of(s);
  return path;
}

// Takes up to `sectors` of the misses that are `left`; returns which share of the sectors miss.
double take(double sectors, double& left) {
  const double taken = std::min(sectors, left);
  left -= taken;
  return share_of(taken, sectors);
}

// The sectors that the loads of a loop body request, and those of them that miss L1.
struct BodyMisses {
  double sectors = 0, fresh = 0, misses = 0;

  // For an access with this share of fresh sectors (that no earlier load requested). Fresh sectors
  // miss first. Where there are more misses, the other sectors miss alike.
  double share_missed(double fresh_share) const {
    if (misses <= fresh) return fresh > 0 ? fresh_share * misses / fresh : 0;
    const double rest = share_of(misses - fresh, sectors - fresh);
    return fresh_share + (1 - fresh_share) * rest;
  }
  double share_missed() const { return share_of(misses, sectors); }
};

// For loads that request `requested` sectors of L2, for which so many come from DRAM. L2 fetches
// pairs of sectors. A random single sector is one of a pair, and the other lies idle until a later
// request finds it in L2. For other loads: where no more is fetched than requested, neighbours
// request the rest of the pair at once. From one and a half times as much on, the other sector lies
// idle. In between some do.
LoadTraffic from_dram(double sectors, double requested, bool single, bool with_idle) {
  const double fetched = requested > 0 ? std::min(sectors / requested, kSectorsPerLine) : 0;
  LoadTraffic row;
  if (with_idle) {
    row.idle = std::max(single ? 1.0 : std::clamp(2 * (fetched - 1), 0.0, 1.0), fetched - 1);
  }
  row.l2_misses = std::min(fetched / (1 + row.idle), 1.0);
  return row;
}

class MissDealer {
 public:
  MissDealer(const Launch& launch, const AccessPatterns& patterns, const CountedMisses& counted,
             const Heuristics& heuristics)
      : launch_(launch),
        patterns_(patterns),
        counted_(counted),
        heuristics_(heuristics),
        executions_(executions_of(launch)),
        body_(bodies_of(launch, patterns)),
        path_(paths_of_blocks(launch, patterns, heuristics)),
        l1_left_(launch.segments.size(), 0) {
    for (const auto& accesses : patterns) rows_.emplace_back(accesses.size());
    std::array<double, kLoadKinds> requested{};  // sectors
    for_loads([&](std::size_t s, std::size_t a) {
      const LoadKind kind = kind_of(patterns_[s][a]);
      requested[static_cast<std::size_t>(kind)] += sectors(s, a);
      if (kind == LoadKind::kCached) l1_left_[path_[s]] += sectors(s, a) * (1 - counted.l1_hits);
    });
    const auto of = [&](LoadKind kind) { return requested[static_cast<std::size_t>(kind)]; };
    const double misses = of(LoadKind::kCached) * (1 - counted.l1_hits) +
                          of(LoadKind::kFetch) * (1 - counted.texture_hits) + of(LoadKind::kBulk);
    // From the counters alone, since a launch that a what-if changed may request fewer sectors.
    const double others = counter_of(launch, "l1_load_sectors") * (1 - counted.l1_hits) +
                          of(LoadKind::kFetch) * (1 - counted.texture_hits) + of(LoadKind::kBulk);
    const double of_locals =
        std::clamp(counter_of(launch, "l2_read_sectors") - others, 0.0, of(LoadKind::kLocal));
    local_hits_ = 1 - share_of(of_locals, of(LoadKind::kLocal));
    fetched_ = (misses + of_locals) * counted.fetched;
  }

  LoadRows deal() {
    deal_l1();
    deal_l2();
    return std::move(rows_);
  }

 private:
  using Bodies = std::vector<std::array<BodyMisses, kOrders>>;  // [body][order of the access]

  double sectors(std::size_t s, std::size_t a) const {
    return executions_[s] * launch_.segments[s].accesses[a].sectors;
  }
  double l2_sectors(std::size_t s, std::size_t a) const {
    return sectors(s, a) * (1 - rows_[s][a].l1_hits);
  }

  // Data that all blocks load come last, because earlier blocks of the SM have loaded them. Among
  // them, and among the rest, gathers come last: first lanes that walk through rows of their own,
  // then addresses from memory, as of a table that stays in L1.
  std::size_t order_of(std::size_t s, std::size_t a) const {
    const bool has_earlier_blocks = static_cast<double>(launch_.grid) > counted_.sms;
    const Addresses addresses = launch_.segments[s].accesses[a].addresses;
    const bool is_common = addresses == Addresses::kCommon && has_earlier_blocks &&
                           heuristics_.on(Heuristic::kCommonDataMissesLast);
    const bool is_gather = patterns_[s][a].gather && heuristics_.on(Heuristic::kGathersMissLast);
    const Order order = !is_gather ? kStreams : is_computed(addresses) ? kRowsOfLanes : kTables;
    return order + (is_common ? std::size_t{kCommon} : 0);
  }

  void request_by_bodies() {
    bodies_ = Bodies(launch_.segments.size());
    for_loads([&](std::size_t s, std::size_t a) {
      if (kind_of(patterns_[s][a]) != LoadKind::kCached) return;
      BodyMisses& body = bodies_[body_[s]][order_of(s, a)];
      body.sectors += sectors(s, a);
      body.fresh += sectors(s, a) * launch_.segments[s].accesses[a].new_sector_share;
    });
  }

  // Fresh sectors first: the others may be outstanding already, or in L1.
  void deal_to_bodies(std::size_t first, std::size_t end, std::size_t order, bool fresh) {
    for (std::size_t s = first; s < end; ++s) {
      BodyMisses& body = bodies_[s][order];
      const double most = fresh ? body.fresh : body.sectors - body.misses;
      body.misses += take(most, l1_left_[path_[s]]) * most;
    }
  }

  void deal_to_regions(std::size_t order, bool fresh) {
    for (std::size_t first = 0, end; first < bodies_.size(); first = end) {
      for (end = first + 1; straight_[first] && end < bodies_.size() && straight_[end];) ++end;
      for (const Order next : {kStreams, kRowsOfLanes, kTables})
        deal_to_bodies(first, end, order + next, fresh);
    }
  }

  // True if straight code has all loads, as streams of one path, and their misses are those of some
  // of its arrays.
  bool deal_to_arrays() {
    if (!heuristics_.on(Heuristic::kWholeArraysMiss) ||
        !heuristics_.on(Heuristic::kLoopBodiesMissInOrder))
      return false;
    std::vector<StraightLoads> loads;
    std::vector<double*> hits;  // [row of `loads`]
    bool are_streams = true;
    std::optional<std::size_t> path;
    for_loads([&](std::size_t s, std::size_t a) {
      const AccessPattern& pattern = patterns_[s][a];
      if (kind_of(pattern) != LoadKind::kCached || sectors(s, a) <= 0) return;
      const SegmentAccess& access = launch_.segments[s].accesses[a];
      const bool is_stream = straight_[s] && order_of(s, a) == kStreams && !pattern.gather &&
                             !pattern.is_copy && access.new_sector_share >= 1 &&
                             path.value_or(path_[s]) == path_[s];
      are_streams = are_streams && is_stream;
      path = path_[s];
      loads.push_back({&access, executions_[s]});
      hits.push_back(&rows_[s][a].l1_hits);
    });
    if (!path || !are_streams) return false;
    const auto found = hits_of_arrays(loads, loading_warps(), l1_left_[*path]);
    if (!found) return false;
    for (std::size_t r = 0; r < hits.size(); ++r) *hits[r] = (*found)[r];
    return true;
  }

  // Warps that execute segments with loads.
  LoadingWarps loading_warps() const {
    LoadingWarps warps{0, static_cast<double>(launch_.warps_per_block())};
    for (const WarpKind& kind : launch_.warp_kinds) {
      bool loads = false;
      for_each_item(kind.program, [&](const ProgramPlace& place) {
        loads = loads || (place.item.segment && has_loads(patterns_[*place.item.segment]));
      });
      if (loads) warps.of_launch += static_cast<double>(kind.warps);
    }
    return warps;
  }

  void deal_l1() {
    straight_ = straight_segments(launch_);
    dealt_by_arrays_ = deal_to_arrays();
    request_by_bodies();
    for (const std::size_t order : {kStreams, kCommon}) {
      if (heuristics_.on(Heuristic::kFreshSectorsMissFirst)) deal_to_regions(order, true);
      deal_to_regions(order, false);
    }
    for_loads([&](std::size_t s, std::size_t a) { rows_[s][a].l1_hits = l1_hits(s, a); });
  }

  double l1_hits(std::size_t s, std::size_t a) const {
    const LoadKind kind = kind_of(patterns_[s][a]);
    if (kind == LoadKind::kFetch) return counted_.texture_hits;
    if (kind == LoadKind::kLocal) return local_hits_;
    if (kind == LoadKind::kAtomic || kind == LoadKind::kBulk) return 0;
    if (dealt_by_arrays_) return rows_[s][a].l1_hits;
    if (!heuristics_.on(Heuristic::kLoopBodiesMissInOrder)) return counted_.l1_hits;
    const BodyMisses& body = bodies_[body_[s]][order_of(s, a)];
    if (!heuristics_.on(Heuristic::kFreshSectorsMissFirst)) return 1 - body.share_missed();
    return 1 - body.share_missed(launch_.segments[s].accesses[a].new_sector_share);
  }

  void deal_l2() {
    std::array<double, 2> requested{};                          // of L2: [gather] sectors
    std::vector<double> streams_left(launch_.segments.size());  // [path] misses
    for_loads([&](std::size_t s, std::size_t a) {
      if (kind_of(patterns_[s][a]) == LoadKind::kAtomic) return;
      requested[patterns_[s][a].gather] += l2_sectors(s, a);
    });
    const double of_streams = std::min(fetched_, requested[0]);
    const double missing = share_of(of_streams, requested[0]);
    if (heuristics_.on(Heuristic::kDrivenOutAlike)) missing_alike_ = counted_.driven_out * missing;
    for_loads([&](std::size_t s, std::size_t a) {
      if (kind_of(patterns_[s][a]) == LoadKind::kAtomic || patterns_[s][a].gather) return;
      streams_left[path_[s]] += (missing - missing_alike(s)) * l2_sectors(s, a);
    });
    const double more = fetched_ - of_streams;  // than streams request
    const bool with_idle = heuristics_.on(Heuristic::kIdleSectorsOfPairs);
    // The first copies of a block stand behind all other segments, but miss before them.
    for (const bool is_first : {true, false}) {
      for_loads([&](std::size_t s, std::size_t a) {
        if (launch_.segments[s].awaits_bulk_copies == is_first)
          deal_l2_to(s, a, requested, more, with_idle, streams_left[path_[s]]);
      });
    }
  }

  void deal_l2_to(std::size_t s, std::size_t a, const std::array<double, 2>& requested, double more,
                  bool with_idle, double& left) {
    const AccessPattern& pattern = patterns_[s][a];
    LoadTraffic dram;
    if (kind_of(pattern) == LoadKind::kAtomic) {
      if (heuristics_.on(Heuristic::kAtomicMisses)) dram.l2_misses = counted_.atomics;
    } else if (!heuristics_.on(Heuristic::kDramMissesInOrder)) {
      dram = from_dram(fetched_, requested[0] + requested[1], false, with_idle);
    } else if (pattern.gather) {
      dram = from_dram(more, requested[1], pattern.single_sectors, with_idle);
    } else if (requested[1] <= 0 && more > 0) {
      dram = from_dram(fetched_, requested[0], false, with_idle);
    } else {
      const double alike = missing_alike(s);
      dram.l2_misses = alike + (1 - alike) * take((1 - alike) * l2_sectors(s, a), left);
    }
    const double l1_hits = rows_[s][a].l1_hits;
    rows_[s][a] = {l1_hits, dram.l2_misses, dram.idle, table_bytes(s, a, l1_hits)};
  }

  double missing_alike(std::size_t s) const { return straight_[s] ? missing_alike_ : 0; }

  // Its hits are known only where no other load of the body gathers.
  double table_bytes(std::size_t s, std::size_t a, double hits) const {
    const AccessPattern& pattern = patterns_[s][a];
    const bool is_indexed_gather =
        launch_.segments[s].accesses[a].addresses == Addresses::kLoaded && pattern.gather &&
        pattern.single_sectors && kind_of(pattern) == LoadKind::kCached;
    if (!is_indexed_gather || sectors(s, a) < bodies_[body_[s]][kTables].sectors) return 0;
    if (!heuristics_.on(Heuristic::kGatheredTableSize)) return 0;
    return gathered_bytes(sectors(s, a) / counted_.sms, hits, counted_.l1_bytes);
  }

  template <class Do>
  void for_loads(Do&& doing) {
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      for (std::size_t a = 0; a < rows_[s].size(); ++a) {
        if (patterns_[s][a].is_load) doing(s, a);
      }
    }
  }

  const Launch& launch_;
  const AccessPatterns& patterns_;
  const CountedMisses& counted_;
  const Heuristics& heuristics_;
  std::vector<double> executions_;  // [segment]
  std::vector<std::size_t> body_;   // [segment]
  std::vector<std::size_t> path_;   // [segment]
  LoadRows rows_;
  Bodies bodies_;
  double local_hits_ = 0;
  std::vector<double> l1_left_;   // [path] misses of L1 not dealt yet
  double fetched_ = 0;            // sectors read from DRAM
  bool dealt_by_arrays_ = false;  // misses of L1
  double missing_alike_ = 0;      // share of the sectors of streams in straight code
  std::vector<bool> straight_;    // [segment]
};

}  // namespace

LoadRows deal_misses(const Launch& launch, const AccessPatterns& patterns,
                     const CountedMisses& counted, const Heuristics& heuristics) {
  return MissDealer(launch, patterns, counted, heuristics).deal();
}

}  // namespace pnsim
