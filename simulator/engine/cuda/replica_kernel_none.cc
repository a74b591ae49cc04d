// The functions of replica_batch.h in a build without CUDA.
#include "simulator/engine/cuda/replica_batch.h"

namespace pnsim {

std::string why_no_gpu() { return "pnsim was built without the CUDA Toolkit"; }

std::string run_on_gpu(const ReplicaHeader&, const std::vector<std::uint32_t>&,
                       const ReplicaRequest&, ReplicaBatch&) {
  return why_no_gpu();
}

}  // namespace pnsim
