// All replicas of a request, on the GPU or, with the same code, here.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/cuda/replica_tables.h"

namespace pnsim {

inline std::uint32_t sum_count(const ReplicaHeader& h) {
  return 2 * kMaxReplicaClasses + h.tally_count;
}

// What the replicas of one request came to.
struct ReplicaBatch {
  ReplicaBatch() = default;
  ReplicaBatch(const ReplicaHeader& header, const ReplicaRequest& request)  // room for all; zeros
      : ends(request.count),
        finals(std::size_t{request.kept} * final_words(header)),
        sums(sum_count(header)) {}

  std::vector<ReplicaEnd> ends;       // [replica - first]
  std::vector<std::uint32_t> finals;  // [replica - first][final_words], of those that are kept
  // Summed over the replicas that were not left to the CPU:
  std::vector<std::uint64_t> sums;  // [sum_count]

  // Visits of the segments of a tally; steps in which a class was contested, and lanes that won.
  std::uint64_t tally(std::uint32_t i) const { return sums[2 * kMaxReplicaClasses + i]; }
  std::uint64_t contested_steps(std::uint32_t lane_class) const { return sums[2 * lane_class]; }
  std::uint64_t contested_wins(std::uint32_t lane_class) const { return sums[2 * lane_class + 1]; }
};

// Why no run can be made on a GPU by this build on this machine; "" when one can.
std::string why_no_gpu();

// "" when `out` is filled, else why not. Safe to call from several threads: they
// share the GPU.
std::string run_on_gpu(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                       const ReplicaRequest& request, ReplicaBatch& out);

// The same on this thread, by the device's code.
ReplicaBatch run_on_host(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                         const ReplicaRequest& request);

}  // namespace pnsim
