// Replicas of one net side by side in the SIMD registers of one processor core: the same results as
// FastRunner's, run by run, several times as fast.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_runner.h"

namespace pnsim {

// After it is made, for any number of threads at a time.
class SimdReplicas {
 public:
  // What the runner knows of the net is used on; the net must outlive this.
  explicit SimdReplicas(const FastRunner& runner);
  ~SimdReplicas();

  // Why the net, or this processor, does not fit; "" when both do.
  const std::string& why_not() const { return why_not_; }

  // Whether that many replicas at a time, of a net that fits, are sooner done here than one after
  // another by FastRunner, which jumps where few lanes are long on their way.
  static constexpr std::uint32_t kFewestThatPay = 16;
  bool pays() const;

  // Replicas that have a place in the registers at a time.
  static constexpr std::uint32_t kSideBySide = 32;

  struct Request {
    std::uint64_t seed = 1;
    std::uint32_t stream = 0;
    std::uint32_t first = 0, count = 1;  // replicas
    std::uint64_t max_steps = kDefaultMaxSteps;
    std::uint32_t kept = 0;  // final markings of so many of them
    bool avx2_only = false;  // not AVX-512, for tests
  };
  struct Runs {
    std::vector<RunResult> runs;      // [replica - first]; final_marking is empty from `kept` on
    std::vector<std::uint32_t> left;  // positions in `runs` that FastRunner is to run: void
  };
  // For a net that fits. `log` (may be null; FastRunner::names_match() if not) also gets the
  // conflicts of all runs but those left.
  Runs run(const Request& request, ConflictLog* log) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::string why_not_;
};

}  // namespace pnsim
