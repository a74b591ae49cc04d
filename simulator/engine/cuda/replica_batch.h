// Runs all replicas of a request, either on the GPU or, with the same code, on the host.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

inline std::uint32_t sum_count(const ReplicaHeader& h) {
  return 2 * kMaxReplicaClasses + h.tally_count;
}

// The results of the replicas of one request.
struct ReplicaBatch {
  ReplicaBatch() = default;
  // Allocates all results, set to 0.
  ReplicaBatch(const ReplicaHeader& header, const ReplicaRequest& request)
      : ends(request.count),
        finals(std::size_t{request.kept} * final_words(header)),
        sums(sum_count(header)) {}

  std::vector<ReplicaEnd> ends;  // [replica - first]
  // [replica - first][final_words], for the replicas with a final state
  std::vector<std::uint32_t> finals;
  // Sums over the replicas that were not left to the CPU:
  std::vector<std::uint64_t> sums;  // [sum_count]

  // Visits of the segments of a tally; steps in which a class was contested; lanes that won.
  std::uint64_t tally(std::uint32_t i) const { return sums[2 * kMaxReplicaClasses + i]; }
  std::uint64_t contested_steps(std::uint32_t lane_class) const { return sums[2 * lane_class]; }
  std::uint64_t contested_wins(std::uint32_t lane_class) const { return sums[2 * lane_class + 1]; }
};

// Why this build on this machine cannot run on a GPU; "" when it can.
std::string why_no_gpu();

// Fills `out` and returns "", or returns the reason for a failure. Several threads may call it;
// they share the GPU.
std::string run_on_gpu(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                       const ReplicaRequest& request, ReplicaBatch& out);

// The same on the calling thread, compiled from the device code.
ReplicaBatch run_on_host(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                         const ReplicaRequest& request);

}  // namespace pnsim
