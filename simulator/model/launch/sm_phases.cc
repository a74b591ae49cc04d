#include "simulator/model/launch/sm_phases.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/model/launch/busiest_scheduler.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/warp_sums.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxPhases = 8;

// [warp of the block] its kind, for a launch whose kinds of warps are in warp order.
std::vector<std::size_t> kinds_of_block(const Launch& launch, std::int64_t block) {
  std::vector<std::size_t> kinds;
  std::int64_t warp = block * launch.warps_per_block();
  std::size_t kind = 0;
  std::int64_t end = launch.warp_kinds[0].warps;
  for (std::int64_t w = 0; w < launch.warps_per_block(); ++w, ++warp) {
    while (warp >= end && kind + 1 < launch.warp_kinds.size())
      end += launch.warp_kinds[++kind].warps;
    kinds.push_back(kind);
  }
  return kinds;
}

// The number of blocks from this one on that have only the kind of its first warp; at least 1.
std::int64_t blocks_alike(const Launch& launch, std::int64_t block) {
  const std::int64_t warp = block * launch.warps_per_block();
  std::int64_t end = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    end += kind.warps;
    if (warp < end) break;
  }
  return std::max<std::int64_t>((end - warp) / launch.warps_per_block(), 1);
}

// Merges neighbours, which get the kinds of the larger one, until at most kMaxPhases are left.
void merge_phases(std::vector<Phase>& phases) {
  while (phases.size() > kMaxPhases) {
    std::size_t at = 0;
    const auto both = [&](std::size_t i) { return phases[i].blocks + phases[i + 1].blocks; };
    for (std::size_t i = 1; i + 1 < phases.size(); ++i) {
      if (both(i) < both(at)) at = i;
    }
    Phase& kept = phases[at];
    Phase& gone = phases[at + 1];
    if (gone.blocks > kept.blocks) kept.kinds = gone.kinds;
    kept.blocks += gone.blocks;
    phases.erase(phases.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

// [phase] true for blocks that end at once, where the next block takes their place. They do next to
// nothing, one by one and together.
std::vector<bool> idle_phases(const Launch& launch, const std::vector<Phase>& phases,
                              std::int64_t sms, const Heuristics& heuristics) {
  constexpr double kMostOfTheLongest = 0.05, kMostOfAll = 0.05;  // instructions
  const std::vector<bool> none(phases.size(), false);
  if (!heuristics.on(Heuristic::kIdleBlocks) || (launch.grid - 1) / sms < launch.resident_blocks)
    return none;
  const WarpSums instructions = warp_instructions(launch);
  std::vector<double> of_longest_warp, of_phase;
  for (const Phase& phase : phases) {
    of_longest_warp.push_back(0);
    of_phase.push_back(0);
    for (const std::size_t kind : phase.kinds) {
      const double own = instructions.of_kind(kind);
      of_longest_warp.back() = std::max(of_longest_warp.back(), own);
      of_phase.back() += static_cast<double>(phase.blocks) * own;
    }
  }
  const double most = *std::max_element(of_longest_warp.begin(), of_longest_warp.end());
  std::vector<bool> idle = none;
  double of_idle = 0;
  for (std::size_t p = 0; p < idle.size(); ++p) {
    idle[p] = of_longest_warp[p] < kMostOfTheLongest * most;
    of_idle += idle[p] ? of_phase[p] : 0;
  }
  return of_idle < kMostOfAll * instructions.all() ? idle : none;
}

// The blocks sm, sm + sms, ... of the launch: we assume that SM `sm` has these where all blocks are
// resident together. `ends` [phase] is the number of the block behind it.
std::vector<Phase> blocks_of_sm(const std::vector<Phase>& phases,
                                const std::vector<std::int64_t>& ends, std::int64_t sm,
                                std::int64_t sms) {
  std::vector<Phase> out;
  std::size_t last = phases.size();
  for (std::int64_t block = sm; block < ends.back(); block += sms) {
    const auto at =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), block) - ends.begin());
    if (at != last) out.push_back({0, phases[at].kinds});
    ++out.back().blocks;
    last = at;
  }
  merge_phases(out);
  return out;
}

// True where all blocks are resident together on as many SMs as when the launch was profiled, each
// SM has at most `blocks`, and the profiler counted the busiest scheduler's instructions.
bool is_sm_counted(const Launch& launch, std::int64_t sms, std::int64_t blocks) {
  return profiled_sms(launch) == sms && blocks == (launch.grid - 1) / sms + 1 &&
         blocks <= launch.resident_blocks && counter_of(launch, kBusiestScheduler) > 0;
}

// The phases of the SM whose busiest scheduler comes nearest to the counted one, if that executed
// more than the busiest scheduler of an SM with the phases `first`. Otherwise `first`.
std::vector<Phase> counted_phases(const Launch& launch, std::vector<Phase> first, std::int64_t sms,
                                  std::int64_t blocks) {
  constexpr double kMore = 1.15;  // less may be due to the placement of blocks
  const WarpSums instructions = warp_instructions(launch);
  const double counted = counter_of(launch, kBusiestScheduler);
  const double of_first = busiest_scheduler(first, instructions);
  if (counted <= kMore * of_first) return first;
  const std::vector<Phase> phases = phases_of(launch);
  std::vector<std::int64_t> ends;
  for (const Phase& phase : phases) ends.push_back((ends.empty() ? 0 : ends.back()) + phase.blocks);
  std::vector<Phase> nearest = std::move(first);
  double smallest_difference = std::abs(of_first - counted);
  const std::int64_t with_all_blocks = launch.grid - (blocks - 1) * sms;
  for (std::int64_t sm = 0; sm < with_all_blocks; ++sm) {
    std::vector<Phase> candidate = blocks_of_sm(phases, ends, sm, sms);
    const double difference = std::abs(busiest_scheduler(candidate, instructions) - counted);
    if (difference < smallest_difference) {
      smallest_difference = difference;
      nearest = std::move(candidate);
    }
  }
  return nearest;
}

}  // namespace

std::vector<Phase> phases_of(const Launch& launch) {
  std::vector<Phase> phases;
  const auto add = [&](std::int64_t blocks, std::vector<std::size_t> kinds) {
    if (!phases.empty() && phases.back().kinds == kinds) {
      phases.back().blocks += blocks;
    } else {
      phases.push_back({blocks, std::move(kinds)});
    }
  };
  if (launch.warp_kinds.empty()) return phases;
  if (launch.block_kinds.empty()) {  // the kinds are in warp order: look at the ends of each
    for (std::int64_t block = 0; block < launch.grid;) {
      const auto kinds = kinds_of_block(launch, block);
      const std::int64_t alike = blocks_alike(launch, block);
      add(alike, kinds);
      block += alike;
    }
    return phases;
  }
  for (const BlockKind& kind : launch.block_kinds) {
    std::vector<std::size_t> kinds;
    for (const BlockKind::Warps& warps : kind.warps) {
      kinds.insert(kinds.end(), static_cast<std::size_t>(warps.count), warps.kind);
    }
    add(kind.blocks, std::move(kinds));
  }
  return phases;
}

std::int64_t working_blocks(const Launch& launch, std::int64_t sms, const Heuristics& heuristics) {
  return sum_of_blocks(working_phases(launch, sms, heuristics));
}

std::vector<Phase> working_phases(const Launch& launch, std::int64_t sms,
                                  const Heuristics& heuristics) {
  const std::vector<Phase> phases = phases_of(launch);
  const std::vector<bool> idle = idle_phases(launch, phases, sms, heuristics);
  std::vector<Phase> out;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    if (!idle[p]) out.push_back(phases[p]);
  }
  return out;
}

std::vector<Phase> phases_of_sm(const Launch& launch, std::int64_t sms, std::int64_t blocks,
                                const Heuristics& heuristics) {
  std::vector<Phase> phases = phases_of(launch);
  const std::vector<bool> idle = idle_phases(launch, phases, sms, heuristics);
  const std::int64_t working = working_blocks(launch, sms, heuristics);
  struct Given {
    __int128 before = 0;
    std::int64_t until = 0;
  } given[2];  // of working and of idle blocks
  for (std::size_t p = 0; p < phases.size(); ++p) {
    Given& of = given[idle[p] ? 1 : 0];
    of.before += phases[p].blocks;
    const auto until = static_cast<std::int64_t>(
        idle[p] ? of.before / sms : (of.before * blocks + working - 1) / working);
    phases[p].blocks = until - of.until;
    of.until = until;
  }
  std::erase_if(phases, [](const Phase& phase) { return phase.blocks == 0; });
  merge_phases(phases);
  if (heuristics.on(Heuristic::kCountedSm) && is_sm_counted(launch, sms, blocks))
    return counted_phases(launch, std::move(phases), sms, blocks);
  return phases;
}

double busiest_scheduler(const std::vector<Phase>& phases, const WarpSums& instructions) {
  std::vector<double> load(kSchedulersPerSm, 0);
  std::size_t first = 0;  // the scheduler of the block's first warp
  for (const Phase& phase : phases) {
    // kSchedulersPerSm blocks together give every scheduler the same number of warps.
    const std::int64_t rounds = phase.blocks / kSchedulersPerSm,
                       rest = phase.blocks % kSchedulersPerSm;
    const std::size_t width = phase.kinds.size();
    const std::size_t step = width + (width % load.size() == 0 ? 1 : 0);  // to the next block
    for (std::int64_t b = 0; b < std::min(phase.blocks, kSchedulersPerSm); ++b) {
      const auto times = static_cast<double>(rounds + (b < rest ? 1 : 0));
      const std::size_t begin = first + static_cast<std::size_t>(b) * step;
      for (std::size_t w = 0; w < width; ++w) {
        load[(begin + w) % load.size()] += times * instructions.of_kind(phase.kinds[w]);
      }
    }
    first = (first + static_cast<std::size_t>(phase.blocks) * step) % load.size();
  }
  return *std::max_element(load.begin(), load.end());
}

std::int64_t sum_of_blocks(const std::vector<Phase>& phases) {
  std::int64_t sum = 0;
  for (const Phase& phase : phases) sum += phase.blocks;
  return sum;
}

}  // namespace pnsim
