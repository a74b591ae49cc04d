#include "simulator/model/launch/imbalance.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/sm_phases.h"
#include "simulator/model/launch/warp_sums.h"

namespace pnsim {
namespace {

// Below this factor the placement of blocks may cause the difference.
constexpr double kLeastFactor = 1.02;
// Where such loops are a smaller share of the instructions, they do not explain the difference.
constexpr double kLeastLooped = 0.5;
// The placement of blocks cannot cause this factor. From it on, trip counts differ although all
// kinds of warps have equal ones.
constexpr double kLeastHidden = 1.15;
// With fewer active lanes, lanes leave the loop at different times.
constexpr double kMostOfTheLanes = 24;

// [segment of a BusiestSmPrograms] executions by all warps; fewest and most executions by one warp,
// over the kinds that execute the segment.
struct Executions {
  std::vector<double> times, fewest, most;
};

Executions executions_by_kinds(const Launch& launch,
                               const std::vector<std::vector<ProgramItem>>& programs) {
  const std::size_t segments = 2 * launch.segments.size();  // by warps, and by a single lane
  Executions out{std::vector<double>(segments, 0), std::vector<double>(segments, 0),
                 std::vector<double>(segments, 0)};
  for (std::size_t k = 0; k < programs.size(); ++k) {
    std::vector<double> mine(segments, 0);
    add_executions(programs[k], 1, mine);
    for (std::size_t s = 0; s < segments; ++s) {
      if (mine[s] == 0) continue;
      out.times[s] += static_cast<double>(launch.warp_kinds[k].warps) * mine[s];
      out.fewest[s] = out.fewest[s] == 0 ? mine[s] : std::min(out.fewest[s], mine[s]);
      out.most[s] = std::max(out.most[s], mine[s]);
    }
  }
  return out;
}

bool contains(const ProgramItem& item, const std::vector<bool>& segments) {
  bool is_touched = false;
  for_each_item(only(item), [&](const ProgramPlace& place) {
    is_touched |= place.item.segment && segments[*place.item.segment];
  });
  return is_touched;
}

// Instructions of the outermost loops that contain such segments.
double looped(const std::vector<ProgramItem>& program, const std::vector<bool>& segments,
              const WarpSums& instructions) {
  double sum = 0;
  for (const ProgramItem& item : program) {
    if (item.repeat > 1 && contains(item, segments)) sum += instructions.of(item);
  }
  return sum;
}

double looped(const Launch& launch, const std::vector<bool>& segments,
              const WarpSums& instructions) {
  double sum = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    sum += static_cast<double>(kind.warps) * looped(kind.program, segments, instructions);
  }
  return sum;
}

std::vector<std::vector<ProgramItem>> programs_of(const Launch& launch) {
  std::vector<std::vector<ProgramItem>> out;
  for (const WarpKind& kind : launch.warp_kinds) out.push_back(kind.program);
  return out;
}

// The remainder loop of a loop unrolled by four has at most three iterations, and each is at most
// half as long.
constexpr std::int64_t kMostRemaining = 3;
constexpr double kTimesShorter = 2;

void mark(const ProgramItem& item, std::vector<bool>& segments) {
  for_each_item(only(item), [&](const ProgramPlace& place) {
    if (place.item.segment) segments[*place.item.segment] = true;
  });
}

// Unmarks segments of remainder loops: loops beside a longer one with so few iterations in all
// kinds of warps.
void unmark_remainder_loops(const Launch& launch, const WarpSums& instructions,
                            std::vector<bool>& segments) {
  const auto instructions_of_iteration = [&](const ProgramItem& item) {
    return item.repeat > 1 ? instructions.of(item) / static_cast<double>(item.repeat) : 0;
  };
  std::vector<bool> remainders(segments.size(), false), others(segments.size(), false);
  for (const WarpKind& kind : launch.warp_kinds) {
    double longest = 0;
    for (const ProgramItem& item : kind.program)
      longest = std::max(longest, instructions_of_iteration(item));
    for (const ProgramItem& item : kind.program) {
      if (item.repeat <= 1) continue;
      const bool is_remainder = item.repeat <= kMostRemaining &&
                                kTimesShorter * instructions_of_iteration(item) <= longest;
      mark(item, is_remainder ? remainders : others);
    }
  }
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (remainders[s] && !others[s]) segments[s] = false;
  }
}

// Active lanes of the loop's segment that has most: all lanes that are in the loop execute its
// test.
double lanes_in_loop(const Launch& launch, const ProgramItem& loop) {
  double lanes = 0;
  for_each_item(only(loop), [&](const ProgramPlace& place) {
    if (place.item.segment) lanes = std::max(lanes, launch.segments[*place.item.segment].lanes);
  });
  return lanes > 0 ? lanes : kWarpLanes;
}

void leave_one_lane(ProgramItem& item, std::size_t segments) {
  change_each_item({&item, 1}, [&](ProgramItem& inner) {
    if (inner.segment) *inner.segment += segments;
  });
}

// Where lanes leave a loop at different times, the added iterations are those of the last lane
// alone.
void lengthen(const Launch& launch, const std::vector<bool>& uneven, double factor,
              std::vector<ProgramItem>& program) {
  std::vector<ProgramItem> longer;
  for (const ProgramItem& item : program) {
    longer.push_back(item);
    if (item.repeat <= 1 || !contains(item, uneven)) continue;
    const double iterations =
        std::min(static_cast<double>(item.repeat) * factor, static_cast<double>(kMaxRepeat));
    ProgramItem& all = longer.back();
    all.repeat = std::llround(iterations);
    if (all.repeat == item.repeat || lanes_in_loop(launch, item) > kMostOfTheLanes) continue;
    ProgramItem added = item;
    added.repeat = all.repeat - item.repeat;
    all.repeat = item.repeat;
    leave_one_lane(added, launch.segments.size());
    longer.push_back(std::move(added));
  }
  program = std::move(longer);
}

// Blocks of such warps end soon, so faster SMs get more of them. `blocks` do the work.
bool are_short(const Launch& launch, std::int64_t blocks, const WarpSums& instructions) {
  constexpr double kLongWarps = 500;  // instructions
  const double warps = static_cast<double>(blocks) * static_cast<double>(launch.warps_per_block());
  return instructions.all() < kLongWarps * warps;
}

// The `working` blocks that the SM of the busiest scheduler executed, if all of these are alike.
// Each scheduler has an equal share of what the other blocks execute.
double counted_blocks(const Launch& launch, std::int64_t sms, std::int64_t working,
                      const WarpSums& instructions, const Heuristics& heuristics) {
  double of_working = 0;
  for (const Phase& phase : working_phases(launch, sms, heuristics)) {
    for (const std::size_t kind : phase.kinds)
      of_working += static_cast<double>(phase.blocks) * instructions.of_kind(kind);
  }
  const double of_idle = std::max(instructions.all() - of_working, 0.0);
  // If all schedulers executed as much as the busiest one did.
  const double busiest = counted_imbalance(launch, sms) * instructions.all() - of_idle;
  return of_working > 0
             ? busiest / of_working * static_cast<double>(working) / static_cast<double>(sms)
             : 0;
}

}  // namespace

std::int64_t busiest_blocks(const Launch& launch, std::int64_t sms, const Heuristics& heuristics) {
  constexpr double kNearly = 0.02, kBesideIdleBlocks = 0.05;  // blocks
  // With more waves, or with short blocks, the faster SMs get more blocks.
  constexpr std::int64_t kFewWaves = 2;
  const std::int64_t working = working_blocks(launch, sms, heuristics);
  const bool are_idle_beside = working < launch.grid;
  const std::int64_t share = (working - 1) / sms + 1;
  if (!heuristics.on(Heuristic::kBusiestBlocks) || profiled_sms(launch) != sms ||
      (share <= launch.resident_blocks && !are_idle_beside) ||
      (share - 1) / kFewWaves >= launch.resident_blocks) {
    return share;
  }
  // With other blocks one scheduler has more warps than the next although all blocks are alike.
  if (launch.warps_per_block() % kSchedulersPerSm != 0) return share;
  const WarpSums instructions = warp_instructions(launch);
  if (are_short(launch, working, instructions)) return share;
  const double near = are_idle_beside ? kBesideIdleBlocks : kNearly;
  const double counted = counted_blocks(launch, sms, working, instructions, heuristics);
  const std::int64_t rounds = (share - 1) / launch.resident_blocks + 1;
  const std::int64_t most = std::min(rounds * launch.resident_blocks, working);
  if (!(counted < static_cast<double>(most) + near)) return share;
  const std::int64_t whole = std::llround(counted);
  return std::abs(counted - static_cast<double>(whole)) < near ? std::max(whole, share) : share;
}

double programs_imbalance(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                          const Heuristics& heuristics) {
  const WarpSums instructions = warp_instructions(launch);
  const double mean = instructions.all() / static_cast<double>(sms * kSchedulersPerSm);
  const double most =
      busiest_scheduler(phases_of_sm(launch, sms, blocks, heuristics), instructions);
  return mean > 0 && most > 0 ? most / mean : 1;
}

double mean_busy_sms(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                     const Heuristics& heuristics) {
  const std::vector<Phase> phases = phases_of_sm(launch, sms, blocks, heuristics);
  // The SMs share L2 and DRAM, so they are as busy as they request sectors.
  for (const WarpSums& sums : {warp_sectors(launch), warp_instructions(launch)}) {
    double mine = 0;
    for (const Phase& phase : phases) {
      for (const std::size_t kind : phase.kinds)
        mine += static_cast<double>(phase.blocks) * sums.of_kind(kind);
    }
    const auto most = static_cast<double>(std::min(sms, launch.grid));
    if (mine > 0) return std::clamp(sums.all() / mine, 1.0, most);
  }
  return 1;
}

namespace {

// Instructions of loops in which warps wait for others. All of an SM's may be of one scheduler.
// That hides real imbalance where they are not.
struct Waiting {
  double all = 0, of_scheduler = 0;
};
Waiting waiting_instructions(const Launch& launch, std::int64_t sms) {
  const double all = counter_of(launch, kSpinningInstructions);
  return {all, all / static_cast<double>(std::clamp<std::int64_t>(launch.grid, 1, sms))};
}

}  // namespace

double counted_imbalance(const Launch& launch, std::int64_t sms) {
  const double all = counter_of(launch, kAllSchedulers),
               busiest = counter_of(launch, kBusiestScheduler);
  if (all <= 0 || busiest > all) return 0;  // no counters, or invalid ones
  const auto schedulers = static_cast<double>(sms * kSchedulersPerSm);
  const Waiting waiting = waiting_instructions(launch, sms);
  if (waiting.all <= 0 || waiting.all >= all) return busiest * schedulers / all;
  return std::max((busiest - waiting.of_scheduler) * schedulers / (all - waiting.all), 1.0);
}

double unexplained_imbalance(const Launch& launch, std::int64_t sms, const Heuristics& heuristics) {
  const auto profiled = profiled_sms(launch);
  if (!profiled) return 1;
  const Heuristics own = profiled == sms ? heuristics : heuristics.without(Heuristic::kCountedSm);
  const std::int64_t blocks = busiest_blocks(launch, *profiled, own);
  return std::max(
      counted_imbalance(launch, *profiled) / programs_imbalance(launch, *profiled, blocks, own),
      1.0);
}

double data_imbalance(const Launch& launch, const Heuristics& heuristics) {
  constexpr std::int64_t kAnyDevice = 0;
  return unexplained_imbalance(launch, kAnyDevice, heuristics);
}

void set_data_imbalance(double imbalance, Launch& launch) {
  const auto sms = profiled_sms(launch);
  const double all = counter_of(launch, kAllSchedulers);
  launch.counters.erase(kBusiestScheduler);
  if (!sms || all <= 0) return;
  Waiting waiting = waiting_instructions(launch, *sms);
  if (waiting.all >= all) waiting = {};
  const double mean = (all - waiting.all) / static_cast<double>(*sms * kSchedulersPerSm);
  const double programs = programs_imbalance(launch, *sms, busiest_blocks(launch, *sms),
                                             Heuristics{}.without(Heuristic::kCountedSm));
  launch.counters[kBusiestScheduler] =
      std::llround(std::min(imbalance * programs * mean + waiting.of_scheduler, all));
}

BusiestSmPrograms busiest_sm_programs(const Launch& launch, std::int64_t sms,
                                      const Heuristics& heuristics) {
  BusiestSmPrograms out{.programs = programs_of(launch),
                        .shared_unit_scale = std::vector<double>(launch.segments.size(), 1)};
  const double more = unexplained_imbalance(launch, sms, heuristics);
  if (more < kLeastFactor) return out;
  const WarpSums instructions = warp_instructions(launch);
  // With several waves of short blocks that SM was counted to have executed more blocks, not longer
  // ones.
  const std::int64_t profiled = *profiled_sms(launch),
                     working = working_blocks(launch, profiled, heuristics);
  if (working > profiled * launch.resident_blocks && are_short(launch, working, instructions))
    return out;
  const Executions before = executions_by_kinds(launch, out.programs);
  std::vector<bool> uneven(launch.segments.size(), false);
  for (std::size_t s = 0; s < uneven.size(); ++s) uneven[s] = before.fewest[s] < before.most[s];
  unmark_remainder_loops(launch, instructions, uneven);
  double loops = looped(launch, uneven, instructions);
  if (loops <= kLeastLooped * instructions.all() && more >= kLeastHidden) {
    uneven.assign(uneven.size(), true);
    unmark_remainder_loops(launch, instructions, uneven);
    loops = looped(launch, uneven, instructions);
  }
  if (loops <= kLeastLooped * instructions.all()) return out;
  const double factor = 1 + (more - 1) * instructions.all() / loops;
  out.is_longer = true;
  for (auto& program : out.programs) lengthen(launch, uneven, factor, program);
  const Executions after = executions_by_kinds(launch, out.programs);
  for (std::size_t s = 0; s < uneven.size(); ++s) {
    const double alone = after.times[s + uneven.size()] / std::max(launch.segments[s].lanes, 1.0);
    const double now = after.times[s] + alone;
    if (now > 0) out.shared_unit_scale[s] = before.times[s] / now;
  }
  return out;
}

}  // namespace pnsim
