// Runs replicas of one net on a GPU. Every run gives the same result as FastRunner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// Why this build on this machine cannot run on a GPU; "" when it can.
std::string why_not_on_gpu();

class GpuReplicas {
 public:
  // Reuses the runner's analysis of the net; the net must outlive this object.
  explicit GpuReplicas(const FastRunner& runner);
  ~GpuReplicas();

  // Why the net does not fit; "" when it does.
  const std::string& why_not() const { return why_not_; }

  // The minimum number of replicas for which a GPU is faster than a CPU. A GPU takes long for one
  // run, and hardly longer for thousands. Only for a net that fits; docs/engines.md has the
  // measurements.
  std::uint32_t fewest_that_pay() const;

  struct Request {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint32_t first = 0, count = 1;  // replicas
    std::uint64_t max_steps = kDefaultMaxSteps;
    std::uint32_t kept = 0;  // number of final markings to keep
    bool on_gpu = true;      // false: the same code on the calling thread, for tests
  };
  struct Runs {
    std::vector<RunResult> runs;  // [replica - first]; final_marking is empty from `kept` on
    // Positions in `runs` that were left to the CPU; those entries are invalid.
    std::vector<std::uint32_t> left;
    std::string fault;  // why nothing was run; "" on success
  };
  // Only for a net that fits. `log` (may be null) gets the conflicts of all runs except those in
  // `left`.
  Runs run(const Request& request, ConflictLog* log) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::string why_not_;
};

}  // namespace pnsim
