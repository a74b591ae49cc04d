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
// loads 16 bytes a thread, waits for them, adds or stores them, and repeats. A point is the
// utilisation of the level then, and the time of an iteration beyond the latency of a lone load.
// Where the level is nearly saturated, an iteration takes as long as its bandwidth says, which is
// no latency.
QueueCurves queue_curves(const DeviceFacts& facts);

// Linear between the points; behind the last point as at it.
double queue_cycles(const QueueCurve& curve, double utilisation);
// `mix`: between reads alone (0) and as many writes as reads (1).
double queue_cycles(const LevelQueues& level, double mix, double utilisation);

}  // namespace pnsim
