// Runs replicas of one net in parallel in the SIMD registers of one processor core. Every run gives
// the same result as FastRunner. docs/engines.md has the measured speed-up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// After construction, any number of threads may use it at the same time.
class SimdReplicas {
 public:
  // Reuses the runner's analysis of the net; the net must outlive this object.
  explicit SimdReplicas(const FastRunner& runner);
  ~SimdReplicas();

  // Why the net, or this processor, is not supported; "" when both are.
  const std::string& why_not() const { return why_not_; }

  // True when that many replicas of a net that fits run faster here than one by one in FastRunner.
  // FastRunner is faster when few lanes travel for long, because it jumps over the steps in
  // between.
  static constexpr std::uint32_t kFewestThatPay = 16;
  bool pays() const;

  // Number of replicas in the registers at one time.
  static constexpr std::uint32_t kSideBySide = 32;

  struct Request {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint32_t first = 0, count = 1;  // replicas
    std::uint64_t max_steps = kDefaultMaxSteps;
    std::uint32_t kept = 0;  // number of final markings to keep
    bool avx2_only = false;  // excludes AVX-512, for tests
  };
  struct Runs {
    std::vector<RunResult> runs;  // [replica - first]; final_marking is empty from `kept` on
    // Positions in `runs` that FastRunner must run; those entries are invalid.
    std::vector<std::uint32_t> left;
  };
  // Only for a net that fits. `log` (may be null; otherwise FastRunner::names_match() must be true)
  // gets the conflicts of all runs except those in `left`.
  Runs run(const Request& request, ConflictLog* log) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::string why_not_;
};

}  // namespace pnsim
