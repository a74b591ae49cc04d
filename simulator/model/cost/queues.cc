#include "simulator/model/cost/queues.h"

#include <algorithm>

#include "simulator/model/cost/load_latency.h"

namespace pnsim {
namespace {

constexpr double kLinesOfFloat4 = 4;  // of a warp's load of 16 bytes a lane
// Beyond it the level is saturated, as far as measurements differ from run to run.
constexpr double kSaturated = 0.97;

// The bandwidth, in bytes per second, that was measured with `blocks` blocks on each SM.
struct Measured {
  double blocks, bandwidth;
};

QueueCurve queue_curve(const std::vector<Measured>& measured, double most, double latency,
                       double bytes, const DeviceFacts& facts) {
  // Cycles of the loop branch, of 4 dependent additions, and of 2 additions for the address.
  const double around = facts.loop_turn_cycles + 6 * facts.fp32_latency_cycles;
  QueueCurve curve{{{0.0, 0.0}}};
  for (const auto& [blocks, rate] : measured) {
    const double iteration =
        blocks * bytes * kBandwidthThreads * facts.sms * facts.cycles_per_ns() * 1e9 / rate;
    const double use = rate / most, cycles = iteration - latency - around;
    if (use > kSaturated || use <= curve.points.back().first) break;
    curve.points.emplace_back(use, std::max(cycles, curve.points.back().second));
  }
  return curve;
}

LevelQueues level_queues(const LevelBandwidth& of, double latency, const DeviceFacts& facts) {
  return {queue_curve({{1, of.read_1_block}, {2, of.read_2_blocks}, {4, of.read_4_blocks}},
                      of.read_8_blocks, latency, kBandwidthReadBytes, facts),
          queue_curve({{1, of.copy_1_block}, {2, of.copy_2_blocks}, {4, of.copy_4_blocks}},
                      of.copy_8_blocks, latency, kBandwidthCopyBytes, facts)};
}

}  // namespace

QueueCurves queue_curves(const DeviceFacts& facts) {
  const double lines = l2_lines_cycles(kLinesOfFloat4, facts);
  return {level_queues(facts.l2, facts.l2_latency_cycles + lines, facts),
          level_queues(facts.dram, facts.dram_latency_cycles + lines, facts)};
}

double queue_cycles(const QueueCurve& curve, double utilisation) {
  const auto& points = curve.points;
  std::size_t p = 1;
  while (p < points.size() && points[p].first < utilisation) ++p;
  if (p == points.size()) return points.back().second;
  const auto& [use0, cycles0] = points[p - 1];
  const auto& [use1, cycles1] = points[p];
  return cycles0 + (utilisation - use0) / (use1 - use0) * (cycles1 - cycles0);
}

double queue_cycles(const LevelQueues& level, double mix, double utilisation) {
  const double reads = queue_cycles(level.reads, utilisation),
               copies = queue_cycles(level.copies, utilisation);
  return reads + mix * (copies - reads);
}

}  // namespace pnsim
