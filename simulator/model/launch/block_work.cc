#include "simulator/model/launch/block_work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/scaled_counters.h"

namespace pnsim {
namespace {

constexpr std::int64_t kLanes = 32;

bool is_load(const SegmentAccess& access) {
  return access.access_class.ends_with("_load") || access.access_class == "texture";
}

std::int64_t loads_of(const Segment& segment) {
  std::int64_t loads = 0;
  for (const SegmentAccess& access : segment.accesses) loads += is_load(access) ? access.count : 0;
  return loads;
}

using Body = std::vector<std::size_t>;  // segments of one iteration, in order

// A loop without loops in it, over all kinds of warps. One iteration may be straight code.
struct Loop {
  Body body;
  std::int64_t loads = 0;       // of one iteration
  std::int64_t warps = 0;       // that enter it
  std::int64_t iterations = 0;  // of all warps
};

using Program = std::vector<ProgramItem>;

// The body of a loop of segments; empty for other items.
Body body_of(const ProgramItem& item) {
  Body out;
  for (const ProgramItem& inner : item.body) {
    if (!inner.segment) return {};
    out.push_back(*inner.segment);
  }
  return out;
}

// Straight code of the program that is one iteration of the body begins at item `at`.
bool is_iteration(const Program& program, std::size_t at, const Body& body) {
  if (program.size() - at < body.size()) return false;
  return std::equal(body.begin(), body.end(), program.begin() + static_cast<std::ptrdiff_t>(at),
                    [](std::size_t s, const ProgramItem& item) { return item.segment == s; });
}

// Takes the loop out of the program. Returns its iterations and where it was.
struct Taken {
  std::int64_t iterations = 0;
  std::optional<std::size_t> at;
};

Taken take_loop(const Body& body, Program& program) {
  Taken out;
  for (std::size_t at = 0; at < program.size();) {
    const bool is_loop = !program[at].body.empty() && body_of(program[at]) == body;
    if (!is_loop && !is_iteration(program, at, body)) {
      ++at;
      continue;
    }
    out.iterations += is_loop ? program[at].repeat : 1;
    if (!out.at) out.at = at;
    const auto first = program.begin() + static_cast<std::ptrdiff_t>(at);
    program.erase(first, first + static_cast<std::ptrdiff_t>(is_loop ? 1 : body.size()));
  }
  return out;
}

void add_body(const Body& body, std::vector<Body>& bodies) {
  if (!body.empty() && std::find(bodies.begin(), bodies.end(), body) == bodies.end()) {
    bodies.push_back(body);
  }
}

// Bodies of loops, and neighbouring segments of straight code that equally many warps execute, but
// not all: a loop of at most one iteration.
std::vector<Body> bodies_of(const Launch& launch) {
  std::vector<Body> bodies;
  for (const WarpKind& kind : launch.warp_kinds) {
    for (const ProgramItem& item : kind.program) add_body(body_of(item), bodies);
  }
  const std::vector<double> times = executions_of(launch);
  const std::vector<bool> straight = straight_segments(launch);
  const auto all = static_cast<double>(launch.grid * launch.warps_per_block());
  for (std::size_t s = 0; s < times.size();) {
    Body body{s};
    while (++s < times.size() && straight[s] && times[s] == times[body[0]]) body.push_back(s);
    if (straight[body[0]] && times[body[0]] < all) add_body(body, bodies);
  }
  return bodies;
}

std::vector<Loop> loops_of(const Launch& launch) {
  std::vector<Loop> loops;
  for (const Body& body : bodies_of(launch)) {
    Loop loop{body, 0, 0, 0};
    for (const std::size_t s : body) loop.loads += loads_of(launch.segments[s]);
    if (loop.loads == 0) continue;
    for (const WarpKind& kind : launch.warp_kinds) {
      Program program = kind.program;
      const std::int64_t iterations = take_loop(body, program).iterations;
      loop.warps += iterations > 0 ? kind.warps : 0;
      loop.iterations += executions_product(iterations, kind.warps);
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

// Sum over the warps of a block of the iterations up to each warp's last thread.
std::int64_t up_to_threads(std::int64_t warps, std::int64_t loads) {
  std::int64_t sum = 0;
  for (std::int64_t w = 1; w <= warps; ++w) sum += kLanes * w / loads;
  return sum;
}

// Sum over B < blocks of floor(B / loads).
double up_to_blocks(std::int64_t blocks, std::int64_t loads) {
  const auto whole = static_cast<double>(blocks / loads);
  return static_cast<double>(loads) * whole * (whole - 1) / 2 +
         static_cast<double>(blocks % loads) * whole;
}

bool is_by_thread(const Launch& launch, const Loop& loop) {
  const std::int64_t warps = launch.warps_per_block();
  return launch.block % kLanes == 0 && warps > 1 &&
         loop.iterations == launch.grid * up_to_threads(warps, loop.loads);
}

bool is_by_block(const Launch& launch, const Loop& loop) {
  const std::int64_t warps = launch.warps_per_block();
  return loop.warps > 0 && loop.warps == warps * (launch.grid - loop.loads) &&
         static_cast<double>(loop.iterations) ==
             static_cast<double>(warps) * up_to_blocks(launch.grid, loop.loads);
}

// Where a program without the loop would have it: before the first later segment. Nothing where no
// later segment follows, in warps that end before the loop.
std::optional<std::size_t> place_for(const Body& body, const Program& program) {
  for (std::size_t at = 0; at < program.size(); ++at) {
    bool is_later = false;
    for_each_item(only(program[at]), [&](const ProgramPlace& place) {
      is_later = is_later || (place.item.segment && *place.item.segment > body.back());
    });
    if (is_later) return at;
  }
  return std::nullopt;
}

// All warps that reach the loop get `mean` iterations of it. What rounding leaves goes to the next
// kinds of warps.
void set_iterations(const Body& body, double mean, Launch& launch) {
  double left = 0;  // iterations of all warps
  for (WarpKind& kind : launch.warp_kinds) {
    const auto warps = static_cast<double>(kind.warps);
    std::optional<std::size_t> at = take_loop(body, kind.program).at;
    if (!at) at = place_for(body, kind.program);
    if (!at) continue;
    const double wanted = std::max(0.0, mean + left / warps);
    ProgramItem loop;
    loop.repeat = std::min<std::int64_t>(std::llround(wanted), kMaxRepeat);
    left += (mean - static_cast<double>(loop.repeat)) * warps;
    if (loop.repeat == 0) continue;
    for (const std::size_t s : body) {
      loop.body.push_back({1, launch.segments[s].counts(), {}, s});
    }
    kind.program.insert(kind.program.begin() + static_cast<std::ptrdiff_t>(*at), std::move(loop));
  }
}

double loads_ratio(const Executed& before, const Executed& now) {
  const double loads = before.load_sectors + before.textures;
  return loads > 0 ? (now.load_sectors + now.textures) / loads : 1;
}

// Neighbouring segments whose loads are executed once for each block of another launch.
struct Run {
  std::size_t first = 0, last = 0;
  bool contains(std::size_t segment) const { return segment >= first && segment <= last; }
};

std::vector<Run> runs_over_blocks(const Launch& launch, std::int64_t blocks) {
  constexpr double kExact = 1e-3;  // mean numbers of lanes are rounded
  const auto wanted = static_cast<double>(blocks);
  const std::vector<double> times = executions_of(launch);
  std::vector<double> lanes(launch.segments.size(), 0);  // that load, of all warps
  for (std::size_t s = 0; s < lanes.size(); ++s) {
    for (const SegmentAccess& access : launch.segments[s].accesses) {
      if (access.access_class != "global_load" || access.addresses == Addresses::kCommon) continue;
      lanes[s] += times[s] * static_cast<double>(access.count) * access.lanes;
    }
  }
  std::vector<Run> out;
  for (std::size_t first = 0; first < lanes.size(); ++first) {
    double sum = 0;
    std::size_t last = first;
    if (lanes[first] <= 0) continue;
    for (; last < lanes.size() && sum < wanted * (1 - kExact); ++last) sum += lanes[last];
    if (std::abs(sum - wanted) > kExact * wanted) continue;
    out.push_back({first, last - 1});
    first = last - 1;
  }
  return out;
}

// The segment with only a part of its instructions, at least one of each class.
Segment part_of(Segment segment, double part) {
  const auto scaled = [&](double count) {
    return count == 0 ? 0 : std::max(1.0, std::round(count * part));
  };
  for (auto& [name, count] : segment.classes) count = scaled(count);
  for (auto& [kind, slots] : segment.last_producer_slots) slots = scaled(slots);
  for (double& count : segment.distances) count = scaled(count);
  for (double& count : segment.distances_across) count = scaled(count);
  for (double& count : segment.distances_double) count = scaled(count);
  for (double& count : segment.register_bank_reads) count = scaled(count);
  for (auto& [kind, count] : segment.tensor_products) count *= part;
  segment.tensor_stall_cycles *= part;
  segment.predicate_stalls = scaled(segment.predicate_stalls);
  segment.predicate_stall_cycles = scaled(segment.predicate_stall_cycles);
  segment.reconvergences = scaled(segment.reconvergences);
  segment.critical_path = scaled(segment.critical_path);
  segment.branches *= part;
  for (SegmentAccess& access : segment.accesses) {
    const std::int64_t before = access.count;
    access.count = scaled(before);
    const double kept = static_cast<double>(access.count) / static_cast<double>(before);
    access.sectors *= kept;
    access.tag_lookups *= kept;
    access.wavefronts *= kept;
  }
  return segment;
}

bool meets(const ProgramItem& item, const Run& run) {
  bool found = false;
  for_each_item(only(item), [&](const ProgramPlace& place) {
    found = found || (place.item.segment && run.contains(*place.item.segment));
  });
  return found;
}

void update_counts(const Launch& launch, std::vector<ProgramItem>& program) {
  change_each_item(program, [&](ProgramItem& item) {
    if (item.segment) item.counts = launch.segments[*item.segment].counts();
  });
}

// Executes the items of the run `factor` times as often, in all programs.
void repeat_run(const Run& run, double factor, Launch& launch) {
  double smallest = 1;  // what the trip counts cannot express, since they are at least 1
  for (WarpKind& kind : launch.warp_kinds) {
    std::vector<ProgramItem> program;
    ProgramItem open;  // straight code of the run
    open.repeat = std::max<std::int64_t>(1, std::llround(factor));
    const auto close = [&] {
      if (open.body.empty()) return;
      if (open.repeat > 1) {
        program.push_back(open);
      } else {
        program.insert(program.end(), open.body.begin(), open.body.end());
      }
      open.body.clear();
    };
    for (ProgramItem& item : kind.program) {
      const bool is_met = meets(item, run);
      if (is_met && item.body.empty()) {
        smallest = std::min(smallest, factor);
        open.body.push_back(item);
        continue;
      }
      close();
      if (is_met) {
        const double wanted = static_cast<double>(item.repeat) * factor;
        smallest = std::min(smallest, wanted);
        item.repeat = std::max<std::int64_t>(1, std::llround(wanted));
      }
      program.push_back(item);
    }
    close();
    kind.program = std::move(program);
  }
  if (smallest >= 1) return;
  for (std::size_t s = run.first; s <= run.last; ++s) {
    launch.segments[s] = part_of(std::move(launch.segments[s]), smallest);
  }
  for (WarpKind& kind : launch.warp_kinds) update_counts(launch, kind.program);
}

}  // namespace

BlockWork scale_block_work(std::int64_t grid, std::int64_t block, Launch& launch) {
  BlockWork out;
  const std::int64_t warps = (block + kLanes - 1) / kLanes;
  const Executed before = executed_by(launch);
  for (const Loop& loop : loops_of(launch)) {
    if (is_by_thread(launch, loop)) {
      out.by_thread = true;
      set_iterations(
          loop.body,
          static_cast<double>(up_to_threads(warps, loop.loads)) / static_cast<double>(warps),
          launch);
    } else if (is_by_block(launch, loop)) {
      out.by_block = true;
      set_iterations(loop.body, up_to_blocks(grid, loop.loads) / static_cast<double>(grid), launch);
    }
  }
  if (out.by_thread || out.by_block) {
    const Executed now = executed_by(launch);
    // The data of a block are the same; those of all blocks before it are more.
    scale_counters(before, now, out.by_block ? loads_ratio(before, now) : 1, launch);
  }
  return out;
}

bool follow_grid(std::int64_t profiled_grid, std::int64_t grid, Launch& launch) {
  if (launch.grid != 1 || profiled_grid < 2) return false;
  const auto share = [&](std::int64_t blocks) { return (blocks - 1) / launch.block + 1; };
  const double factor =
      static_cast<double>(share(grid)) / static_cast<double>(share(profiled_grid));
  const std::vector<Run> runs = runs_over_blocks(launch, profiled_grid);
  if (runs.empty() || factor == 1) return !runs.empty();
  const Executed before = executed_by(launch);
  for (const Run& run : runs) repeat_run(run, factor, launch);
  const Executed now = executed_by(launch);
  scale_counters(before, now, loads_ratio(before, now), launch);
  return true;
}

}  // namespace pnsim
