#include "simulator/model/launch/sm_phases.h"

#include <algorithm>

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

}  // namespace

std::vector<Phase> phases_of_sm(const Launch& launch, std::int64_t blocks) {
  std::vector<Phase> phases = phases_of(launch);
  __int128 before = 0;
  std::int64_t given = 0;
  for (Phase& phase : phases) {
    before += phase.blocks;
    const auto until = static_cast<std::int64_t>((before * blocks + launch.grid - 1) / launch.grid);
    phase.blocks = until - given;
    given = until;
  }
  std::erase_if(phases, [](const Phase& phase) { return phase.blocks == 0; });
  merge_phases(phases);
  return phases;
}

}  // namespace pnsim
