// Runs of one net by the fastest engine that takes it.
#pragma once

#include <memory>
#include <string>

#include "simulator/engine/lane_machine.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

class ConflictLog;

// Looks at the net once and remembers what it learns from run to run. Not for several threads at
// a time: a copy (cheap; it shares what the net's structure says) serves another thread. The net
// must outlive it.
class FastRunner {
 public:
  // `lanes`: whether to look for them.
  explicit FastRunner(const Net& net, bool lanes = true);
  FastRunner(const FastRunner& other);
  FastRunner& operator=(const FastRunner&) = delete;

  // The same result as run_reference(net, id, max_steps, log).
  RunResult run(RunId id, std::uint64_t max_steps = kDefaultMaxSteps, ConflictLog* log = nullptr);

  // The net is made of lanes that fit the lane engine; otherwise why_not_lanes() says why not.
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

// One such run. For several runs of one net FastRunner looks at the net only once.
RunResult run_fast(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps,
                   ConflictLog* log = nullptr);

}  // namespace pnsim
