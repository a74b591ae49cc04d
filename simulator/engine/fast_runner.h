// Runs a net with the fastest engine that supports it.
#pragma once

#include <memory>
#include <string>

#include "simulator/engine/lane_machine.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

class ConflictLog;

// Analyses the net once and reuses the result for every run. It is not thread-safe; each thread
// takes its own copy, which is cheap because copies share the structure of the net. The net must
// outlive it.
class FastRunner {
 public:
  // `lanes`: whether to search for lanes.
  explicit FastRunner(const Net& net, bool lanes = true);
  FastRunner(const FastRunner& other);
  FastRunner& operator=(const FastRunner&) = delete;

  // Returns the same result as run_reference(net, id, max_steps, log).
  RunResult run(RunId id, std::uint64_t max_steps = kDefaultMaxSteps, ConflictLog* log = nullptr);

  // True when the net consists of lanes that the lane engine supports; otherwise why_not_lanes()
  // gives the reason.
  bool uses_lanes() const { return program_ != nullptr; }
  const std::string& why_not_lanes() const { return why_not_; }
  std::shared_ptr<const LaneProgram> lane_program() const { return program_; }  // null: no lanes
  bool names_match() const { return program_ && program_->names_match(); }

 private:
  template <class Ready>
  std::optional<RunResult> run_lanes(RunId id, std::uint64_t max_steps, ConflictLog* log);

  const Net& net_;
  std::string why_not_;
  std::shared_ptr<const LaneProgram> program_;  // null: no lanes
  std::unique_ptr<LaneMachine> machine_;
};

// One such run. For several runs of one net, FastRunner analyses the net only once.
RunResult run_fast(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                   ConflictLog* log = nullptr);

}  // namespace pnsim
