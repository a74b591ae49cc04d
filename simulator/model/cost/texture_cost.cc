#include "simulator/model/cost/texture_cost.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace pnsim {
namespace {

// Null where fetches from arrays are taken to be as those from memory.
const TextureKindFacts* kind_facts(const DeviceFacts& facts, const Heuristics& heuristics) {
  const bool is_on = heuristics.on(Heuristic::kTextureKinds);
  return is_on && facts.texture_kinds ? &*facts.texture_kinds : nullptr;
}

// Cycles of a warp's fetch from linear memory, interpolated between contiguous words and one sector
// per lane. Lanes in different lines take even longer, but the counters do not show them.
double memory_fetch_cycles(double sectors, const DeviceFacts& facts) {
  constexpr double kFew = 4, kMost = 32;  // sectors looked up
  const double few = facts.textures->texture_fetch_cycles,
               most = facts.textures->texture_32_sectors_fetch_cycles;
  const double part = std::clamp((sectors - kFew) / (kMost - kFew), 0.0, 1.0);
  return few + part * std::max(most - few, 0.0);
}

// Cycles of fetches that look up so many sectors.
struct MeasuredFetch {
  double sectors, cycles;
};

double fetch_cycles_between(std::span<const MeasuredFetch> measured, double sectors) {
  double cycles = measured.front().cycles;
  for (std::size_t i = 1; i < measured.size(); ++i) {
    const MeasuredFetch &from = measured[i - 1], &to = measured[i];
    const double part =
        std::clamp((sectors - from.sectors) / (to.sectors - from.sectors), 0.0, 1.0);
    cycles += part * (to.cycles - from.cycles);
  }
  return cycles;
}

// The same from an array, by the sectors that the measured fetches look up: neighbouring texels
// that start anywhere in a tile, scattered texels, and the texels that a linear filter of 16 bytes
// needs. Neither the code nor a counter tells the filter. In two dimensions it makes no difference
// for texels of 4 bytes; fetches from three are taken to be filtered.
double array_fetch_cycles(double sectors, bool is_3d, const TextureKindFacts& facts) {
  const MeasuredFetch flat[] = {{20, facts.texture_2d_1_texels_0_lines_cycles},
                                {32, facts.texture_2d_4_texels_0_lines_cycles},
                                {96, facts.texture_2d_linear_16_bytes_cycles}};
  const MeasuredFetch deep[] = {{48, facts.texture_3d_linear_cycles},
                                {256, facts.texture_3d_linear_16_bytes_cycles}};
  return is_3d ? fetch_cycles_between(deep, sectors) : fetch_cycles_between(flat, sectors);
}

}  // namespace

double texture_fetch_cycles(const SegmentAccess& access, double sectors, const DeviceFacts& facts,
                            const Heuristics& heuristics) {
  constexpr std::int64_t kWideBytes = 16;  // of a lane
  const TextureKindFacts* kinds = kind_facts(facts, heuristics);
  if (sectors <= 0) sectors = kWarpLanes;  // not counted: one for each lane
  if (kinds && access.texture != TextureKind::kMemory)
    return array_fetch_cycles(sectors, access.texture == TextureKind::k3d, *kinds);
  const double cycles = memory_fetch_cycles(sectors, facts);
  const bool is_wide = kinds && access.bytes >= kWideBytes;
  return is_wide ? std::max(cycles, kinds->texture_memory_16_bytes_cycles) : cycles;
}

double texture_latency_cycles(const Segment& segment, const DeviceFacts& facts,
                              const Heuristics& heuristics) {
  double cycles = facts.textures->texture_latency_cycles;
  const TextureKindFacts* kinds = kind_facts(facts, heuristics);
  if (!kinds) return cycles;
  for (const SegmentAccess& access : segment.accesses) {
    if (access.texture == TextureKind::kMemory) continue;
    cycles = std::max(cycles, access.texture == TextureKind::k3d
                                  ? kinds->texture_3d_linear_latency_cycles
                                  : kinds->texture_2d_1_texels_0_lines_latency_cycles);
  }
  return cycles;
}

}  // namespace pnsim
