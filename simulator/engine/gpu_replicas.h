// Replicas of one net on a GPU: the same results as FastRunner's, run by run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// Why no run can be made on a GPU by this build on this machine; "" when one can.
std::string why_not_on_gpu();

class GpuReplicas {
 public:
  // What the runner knows of the net is used on; the net must outlive this.
  explicit GpuReplicas(const FastRunner& runner);
  ~GpuReplicas();

  // Why the net does not fit; "" when it does.
  const std::string& why_not() const { return why_not_; }

  // Fewer replicas are sooner done on a CPU: a GPU takes long for one run, and hardly longer for
  // thousands of them. For a net that fits; docs/engines.md has the measurements.
  std::uint32_t fewest_that_pay() const;

  struct Request {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint32_t first = 0, count = 1;  // replicas
    std::uint64_t max_steps = kDefaultMaxSteps;
    std::uint32_t kept = 0;  // final markings of so many of them
    bool on_gpu = true;      // false: by the same code on this thread, for tests
  };
  struct Runs {
    std::vector<RunResult> runs;      // [replica - first]; final_marking is empty from `kept` on
    std::vector<std::uint32_t> left;  // positions in `runs` that were left to the CPU: void
    std::string fault;                // not "": why nothing was run
  };
  // For a net that fits. `log` (may be null) also gets the conflicts of all runs but those left.
  Runs run(const Request& request, ConflictLog* log) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::string why_not_;
};

}  // namespace pnsim
