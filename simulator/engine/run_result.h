// The results of a run of a net, and the counter that accumulates them step by step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "simulator/engine/draws.h"
#include "simulator/net/net.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

// Ordered from worst to best: over replicas the worst outcome is reported.
// kFixed: the marking could not change any more (run.h).
enum class Outcome { kLimit, kDead, kFixed, kGoal };
std::string_view outcome_name(Outcome outcome);  // "limit", "dead", "fixed", "goal"

inline constexpr std::uint64_t kDefaultMaxSteps = 1'000'000'000;

struct RunResult {
  RunId id;
  Outcome outcome = Outcome::kLimit;
  std::uint64_t steps = 0;                            // executed steps
  std::uint64_t firings = 0;                          // firings of all transitions
  std::optional<std::uint64_t> waiting_steps;         // nothing: the net declares none
  std::optional<std::uint64_t> idle_scheduler_steps;  // nothing: the net declares none
  Marking final_marking;
  std::vector<StateTimes> state_times{};  // [UnitStates requested for the run]
  // Steps, firings, waiting and idle steps refer to all blocks, although this many blocks were
  // skipped (steady_blocks.h). The next field is an estimated upper bound of the resulting relative
  // error of the steps.
  std::int64_t blocks_left_out = 0;
  double left_out_error = 0;
};

// Accumulates the results of a run, one step at a time. Error 5 when idle_scheduler_steps
// overflows.
class RunCounter {
 public:
  RunCounter(const Net& net, RunId id);

  // `marking`: before the step; `fired`: the transitions of the step, in any order.
  void count_step(const Marking& marking, std::span<const TransitionId> fired) {
    count_steps(marking, fired, 0, 1);
  }

  // `steps` equal steps. In each of them, `ticks` further transitions fire that do not affect the
  // observables.
  void count_steps(const Marking& marking, std::span<const TransitionId> fired, std::uint64_t ticks,
                   std::uint64_t steps) {
    result_.steps += steps;
    add_product(result_.firings, steps, fired.size() + ticks, "firings");
    if (result_.waiting_steps || result_.idle_scheduler_steps) observe(marking, fired, steps);
  }

  // Excludes outcome and final marking.
  const RunResult& so_far() const { return result_; }
  RunResult result(Outcome outcome, const Marking& final_marking) const;

 private:
  static constexpr std::uint64_t kMaxSum = std::uint64_t{1} << 63;

  static void add_product(std::uint64_t& sum, std::uint64_t steps, std::uint64_t each,
                          const char* what) {
    std::uint64_t more = 0;
    if (__builtin_mul_overflow(steps, each, &more) || __builtin_add_overflow(sum, more, &sum) ||
        sum > kMaxSum) {
      fail_over(what);
    }
  }
  [[noreturn]] static void fail_over(const char* what);
  void observe(const Marking& marking, std::span<const TransitionId> fired, std::uint64_t steps);

  const Net& net_;
  // [transition] tokens taken from the scheduler pool, 0 for `waiting`
  std::vector<Tokens> pool_taken_by_;
  std::vector<char> is_waiting_;  // [transition]
  RunResult result_;
};

}  // namespace pnsim
