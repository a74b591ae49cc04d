// Writes the results of a finished replica. For host and device (C++17).
#pragma once

#include "simulator/engine/cuda/replica_run.h"

namespace pnsim {

// Destinations of the results of a request; same layout as ReplicaBatch.
struct ReplicaOut {
  ReplicaEnd* ends;
  std::uint32_t* finals;
  std::uint64_t* sums;
};

// Runs replica `index` of the request. `add(to, number)` adds to a sum that other replicas share.
template <class Shape, class Watch, class Add>
PNSIM_HOST_DEVICE void run_replica(const ReplicaHeader& h, const ReplicaTables& tables,
                                   std::uint32_t* state, const ReplicaRequest& request,
                                   std::uint32_t index, const ReplicaOut& out, Watch& watch,
                                   Add add) {
  const ReplicaKey key = replica_key(request.seed, request.first + index, request.stream);
  ReplicaRun<Shape, Watch> run(h, tables, state, key, request.max_steps, watch);
  const ReplicaEnd end = run.run();
  out.ends[index] = end;
  if (end.outcome == ReplicaOutcome::kLeft) return;
  for (int c = 0; c < Shape::kClasses; ++c) {
    if (run.contested_steps(c) == 0) continue;
    add(out.sums + 2 * c, run.contested_steps(c));
    add(out.sums + 2 * c + 1, run.contested_wins(c));
  }
  for (std::uint32_t i = 0; i < h.tally_count; ++i) {
    if (run.tally(i) != 0) add(out.sums + 2 * kMaxReplicaClasses + i, run.tally(i));
  }
  if (index >= request.kept) return;
  std::uint32_t* words = out.finals + std::size_t{index} * final_words(h);
  words[0] = static_cast<std::uint32_t>(run.packed());
  words[1] = static_cast<std::uint32_t>(run.packed() >> 32);
  for (std::uint32_t i = 0; i < h.lane_count * h.lane_words; ++i) words[2 + i] = run.lane_word(i);
}

}  // namespace pnsim
