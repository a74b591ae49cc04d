#include "simulator/model/launch/sm_phases.h"

#include <algorithm>

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
    while (warp >= end) end += launch.warp_kinds[++kind].warps;
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

std::vector<Phase> phases_of(const Launch& launch) {
  std::vector<Phase> phases;
  const auto add = [&](std::int64_t blocks, std::vector<std::size_t> kinds) {
    if (!phases.empty() && phases.back().kinds == kinds) {
      phases.back().blocks += blocks;
    } else {
      phases.push_back({blocks, std::move(kinds)});
    }
  };
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

}  // namespace

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
  return phases;
}

std::int64_t sum_of_blocks(const std::vector<Phase>& phases) {
  std::int64_t sum = 0;
  for (const Phase& phase : phases) sum += phase.blocks;
  return sum;
}

}  // namespace pnsim
