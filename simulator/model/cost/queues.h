// How long loads queue at L2 and at DRAM when these are busy.
#pragma once

#include <utility>
#include <vector>

#include "simulator/model/device/device_facts.h"

namespace pnsim {

// The bandwidth microbenchmark.
inline constexpr double kBandwidthThreads = 256;                        // of a block
inline constexpr double kBandwidthReadBytes = 16;                       // of a thread and iteration
inline constexpr double kBandwidthCopyBytes = 2 * kBandwidthReadBytes;  // the same

struct QueueCurve {
  // Utilisation (0 ... 1; rises) and cycles that a load queues then (do not fall).
  std::vector<std::pair<double, double>> points;
};

struct LevelQueues {
  QueueCurve reads, copies;
};

struct QueueCurves {
  LevelQueues l2, dram;
};

// From the bandwidth microbenchmark with 1, 2 and 4 blocks of 256 threads on each SM. Every warp
// loads 16 bytes a thread, waits for them, adds or stores them, and repeats. A point has the
// utilisation of the level in that run and the time of an iteration beyond the latency of a lone
// load. Runs that nearly saturate the level give no point: bandwidth alone limits them.
QueueCurves queue_curves(const DeviceFacts& facts);

// Linear between the points; constant after the last point.
double queue_cycles(const QueueCurve& curve, double utilisation);
// `mix` runs from reads alone (0) to as many writes as reads (1).
double queue_cycles(const LevelQueues& level, double mix, double utilisation);

}  // namespace pnsim
