#include "simulator/model/memory/load_misses.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/gathered_tables.h"

namespace pnsim {
namespace {

double share(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

bool is_load(const SegmentAccess& access) {
  return is_global_load(*find_opcode_class(access.access_class));
}

// Who says how often it misses L1: the counters of loads, those of fetches, what else L2 read;
// atomics always do.
enum class LoadKind { kCached, kFetch, kLocal, kAtomic };

LoadKind kind_of(const SegmentAccess& access) {
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  return cls.result == LateResult::kTexture ? LoadKind::kFetch
         : is_local_access(cls)             ? LoadKind::kLocal
         : is_global_atomic(cls)            ? LoadKind::kAtomic
                                            : LoadKind::kCached;
}

bool has_loads(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(), is_load);
}

// [segment] those with loads of one loop's body, that of a loop in it apart, have the number of the
// first of them; all others their own.
void add_bodies(const std::vector<ProgramItem>& program, const Launch& launch, bool is_loop,
                std::vector<std::size_t>& body) {
  std::optional<std::size_t> first;
  for (const ProgramItem& item : program) {
    if (!item.segment) {
      add_bodies(item.body, launch, true, body);
    } else if (is_loop && has_loads(launch.segments[*item.segment])) {
      if (!first) first = body[*item.segment];
      body[*item.segment] = *first;
    }
  }
}

std::vector<std::size_t> bodies_of(const Launch& launch) {
  std::vector<std::size_t> body(launch.segments.size());
  std::iota(body.begin(), body.end(), std::size_t{0});
  for (const WarpKind& kind : launch.warp_kinds) add_bodies(kind.program, launch, false, body);
  return body;
}

// Deals misses to groups of accesses in order; `left` of them are still to be dealt.
double take(double sectors, double& left) {
  const double taken = std::min(sectors, left);
  left -= taken;
  return share(taken, sectors);
}

// Lanes that ask for many lines, or those of them that are active: who gathers comes back to lines
// more often than who reads on.
bool is_scattered(const SegmentAccess& access) {
  constexpr double kManyLines = 8;  // more than rows of a tile or of 16 bytes a lane ask for
  const bool is_of_some_lanes = access.addresses == Addresses::kLoaded &&
                                asks_for_single_sectors(access) &&
                                lines_if_all_were_active(access) > kManyLines;
  return access.tags > kManyLines * static_cast<double>(access.count) || is_of_some_lanes;
}

// What loads of a loop's body ask for, and what of it misses L1.
struct BodyMisses {
  double sectors = 0, fresh = 0, misses = 0;

  // Of an access of which so much is fresh. What no load has asked for misses first; where there is
  // more to miss, the others miss alike.
  double share_of(double fresh_share) const {
    if (misses <= fresh) return fresh > 0 ? fresh_share * misses / fresh : 0;
    const double rest = share(misses - fresh, sectors - fresh);
    return fresh_share + (1 - fresh_share) * rest;
  }
};

// Of loads that ask L2 for `asked` sectors, for which so many come from DRAM.
LoadTraffic from_dram(double sectors, double asked, bool single) {
  constexpr double kSectorsOfLine = 4;
  const double fetched = asked > 0 ? std::min(sectors / asked, kSectorsOfLine) : 0;
  // Pairs of sectors are fetched. Who asks for single sectors here and there finds one of a pair,
  // and the other lies idle until somebody finds it in L2. Of others: where no more come than are
  // asked for, neighbours ask for the rest of a pair at once; twice as many: the other one lies
  // idle. Between 1 and 1.5, some do.
  LoadTraffic row;
  row.idle = std::max(single ? 1.0 : std::clamp(2 * (fetched - 1), 0.0, 1.0), fetched - 1);
  row.l2_misses = std::min(fetched / (1 + row.idle), 1.0);
  return row;
}

// Misses of L1 are dealt by loop bodies in order, in a body, and in the code between two loops, to
// loads that gather after the others, to each by what it asks for first; those of L2 by accesses,
// all that gather last and alike.
class MissDealer {
 public:
  MissDealer(const Launch& launch, const CountedMisses& counted)
      : launch_(launch),
        executions_(executions_of(launch)),
        body_(bodies_of(launch)),
        atomics_missed_(counted.atomics),
        sms_(counted.sms),
        l1_bytes_(counted.l1_bytes) {
    rows_.resize(launch.segments.size());
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      rows_[s].resize(launch.segments[s].accesses.size());
    }
    std::array<double, 4> asked{};  // [kind] sectors
    for_loads([&](std::size_t s, const SegmentAccess& access, LoadTraffic&) {
      asked[static_cast<std::size_t>(kind_of(access))] += executions_[s] * access.sectors;
    });
    const auto of = [&](LoadKind kind) { return asked[static_cast<std::size_t>(kind)]; };
    l1_left_ = of(LoadKind::kCached) * (1 - counted.l1_hits);
    const double misses = l1_left_ + of(LoadKind::kFetch) * (1 - counted.texture_hits);
    // By the counters alone: what a launch is changed to may ask for fewer sectors.
    const double others = counter_of(launch, "l1_load_sectors") * (1 - counted.l1_hits) +
                          of(LoadKind::kFetch) * (1 - counted.texture_hits);
    const double of_locals =
        std::clamp(counter_of(launch, "l2_read_sectors") - others, 0.0, of(LoadKind::kLocal));
    hits_[static_cast<std::size_t>(LoadKind::kFetch)] = counted.texture_hits;
    hits_[static_cast<std::size_t>(LoadKind::kLocal)] = 1 - share(of_locals, of(LoadKind::kLocal));
    fetched_ = (misses + of_locals) * counted.fetched;
  }

  LoadRows deal() {
    deal_l1();
    std::array<double, 2> asked{};  // of L2: [scattered] sectors
    for_loads([&](std::size_t s, const SegmentAccess& access, LoadTraffic& row) {
      if (kind_of(access) == LoadKind::kAtomic) return;
      asked[is_scattered(access)] += executions_[s] * access.sectors * (1 - row.l1_hits);
    });
    double left = std::min(fetched_, asked[0]);
    const double more = fetched_ - left;  // than streams ask for
    const bool gathers = asked[1] > 0;
    for_loads([&](std::size_t s, const SegmentAccess& access, LoadTraffic& row) {
      LoadTraffic dram;
      if (kind_of(access) == LoadKind::kAtomic) {
        dram.l2_misses = atomics_missed_;
      } else if (is_scattered(access)) {
        dram = from_dram(more, asked[1], asks_for_single_sectors(access));
      } else if (!gathers && more > 0) {
        dram = from_dram(fetched_, asked[0], false);
      } else {
        dram.l2_misses = take(executions_[s] * access.sectors * (1 - row.l1_hits), left);
      }
      row = {row.l1_hits, dram.l2_misses, dram.idle, table_bytes(s, access, row.l1_hits)};
    });
    return std::move(rows_);
  }

 private:
  using Bodies = std::vector<std::array<BodyMisses, 4>>;  // [body][kind of access]

  // What all blocks ask for comes last: those before have brought it. In that and in the rest who
  // gathers comes last.
  static std::size_t order_of(const SegmentAccess& access) {
    return (access.addresses == Addresses::kCommon ? 2 : 0) + (is_scattered(access) ? 1 : 0);
  }

  Bodies asked_by() {
    Bodies bodies(launch_.segments.size());
    for_loads([&](std::size_t s, const SegmentAccess& access, LoadTraffic&) {
      if (kind_of(access) != LoadKind::kCached) return;
      BodyMisses& body = bodies[body_[s]][order_of(access)];
      body.sectors += executions_[s] * access.sectors;
      body.fresh += executions_[s] * access.sectors * access.fresh;
    });
    return bodies;
  }

  void deal_l1() {
    bodies_ = asked_by();
    const std::vector<bool> straight = straight_segments(launch_);
    const auto deal_to = [&](std::size_t first, std::size_t end, std::size_t kind) {
      for (std::size_t s = first; s < end; ++s) {
        BodyMisses& body = bodies_[s][kind];
        body.misses = take(body.sectors, l1_left_) * body.sectors;
      }
    };
    for (const std::size_t kind : {0, 2}) {
      for (std::size_t first = 0, end; first < bodies_.size(); first = end) {
        for (end = first + 1; straight[first] && end < bodies_.size() && straight[end];) ++end;
        deal_to(first, end, kind);
        deal_to(first, end, kind + 1);
      }
    }
    for_loads([&](std::size_t s, const SegmentAccess& access, LoadTraffic& row) {
      const LoadKind kind = kind_of(access);
      const BodyMisses& body = bodies_[body_[s]][order_of(access)];
      row.l1_hits = kind == LoadKind::kCached ? 1 - body.share_of(access.fresh)
                                              : hits_[static_cast<std::size_t>(kind)];
    });
  }

  // Only where no other load of the body gathers are its hits known.
  double table_bytes(std::size_t s, const SegmentAccess& access, double hits) const {
    const double asked = executions_[s] * access.sectors;
    const bool is_gather = access.addresses == Addresses::kLoaded && is_scattered(access) &&
                           asks_for_single_sectors(access) && kind_of(access) == LoadKind::kCached;
    if (!is_gather || asked < bodies_[body_[s]][1].sectors) return 0;
    return gathered_bytes(asked / sms_, hits, l1_bytes_);
  }

  template <class Do>
  void for_loads(Do&& doing) {
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      for (std::size_t a = 0; a < rows_[s].size(); ++a) {
        const SegmentAccess& access = launch_.segments[s].accesses[a];
        if (is_load(access)) doing(s, access, rows_[s][a]);
      }
    }
  }

  const Launch& launch_;
  std::vector<double> executions_;  // [segment]
  std::vector<std::size_t> body_;   // [segment]
  LoadRows rows_;
  Bodies bodies_;
  double atomics_missed_, sms_, l1_bytes_;
  std::array<double, 4> hits_{};  // [kind] of L1; of cached loads: by body
  double l1_left_ = 0, fetched_ = 0;
};

}  // namespace

LoadRows deal_misses(const Launch& launch, const CountedMisses& counted) {
  return MissDealer(launch, counted).deal();
}

}  // namespace pnsim
