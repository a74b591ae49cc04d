#include "simulator/engine/fast_runner.h"

#include "simulator/engine/lane_engine.h"
#include "simulator/engine/lane_program_maker.h"
#include "simulator/engine/run.h"

namespace pnsim {

FastRunner::FastRunner(const Net& net, bool lanes) : net_(net) {
  if (!lanes) {
    why_not_ = "not looked for";
    return;
  }
  auto program = make_lane_program(net, &why_not_);
  if (!program) return;
  program_ = std::make_shared<const LaneProgram>(std::move(*program));
  machine_ = std::make_unique<LaneMachine>(*program_);
}

FastRunner::FastRunner(const FastRunner& other)
    : net_(other.net_), why_not_(other.why_not_), program_(other.program_) {
  if (program_) machine_ = std::make_unique<LaneMachine>(*program_);
}

template <class Ready>
std::optional<RunResult> FastRunner::run_lanes(RunId id, std::uint64_t max_steps,
                                               ConflictLog* log) {
  LaneEngine<Ready> engine(*program_, *machine_, id, log != nullptr);
  const auto outcome = engine.run(max_steps);
  if (!outcome) return std::nullopt;
  if (log) engine.add_conflicts_to(*log);
  return engine.result(*outcome);
}

RunResult FastRunner::run(RunId id, std::uint64_t max_steps, ConflictLog* log) {
  const bool fits = program_ && !machine_->is_exhausted() && (!log || program_->names_match());
  if (fits) {
    const auto result = program_->lanes() <= 64 ? run_lanes<OneWordSet>(id, max_steps, log)
                                                : run_lanes<ManyWordSet>(id, max_steps, log);
    if (result) return *result;
  }
  return run_incremental(net_, id, max_steps, log);
}

RunResult run_fast(const Net& net, RunId id, std::uint64_t max_steps, ConflictLog* log) {
  return FastRunner(net).run(id, max_steps, log);
}

}  // namespace pnsim
