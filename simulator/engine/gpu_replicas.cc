#include "simulator/engine/gpu_replicas.h"

#include <algorithm>

#include "simulator/base/gpu_probe.h"
#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/cuda/replica_program.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kMostReplicaSteps = 1u << 31;  // a step is 32 bits there

}  // namespace

struct GpuReplicas::Parts {
  std::shared_ptr<const LaneProgram> lanes;
  LaneMachine machine;
  std::optional<ReplicaProgram> program;

  explicit Parts(std::shared_ptr<const LaneProgram> made) : lanes(std::move(made)), machine(*lanes) {}
};

std::string why_not_on_gpu() {
  return cuda_device_count() == 0 ? "no CUDA device or no driver found" : why_no_gpu();
}

GpuReplicas::GpuReplicas(const FastRunner& runner) : why_not_(runner.why_not_lanes()) {
  if (!runner.uses_lanes()) return;
  parts_ = std::make_unique<Parts>(runner.lane_program());
  parts_->program = ReplicaProgram::make(*parts_->lanes, parts_->machine, why_not_);
}

GpuReplicas::~GpuReplicas() = default;

std::uint32_t GpuReplicas::fewest_that_pay() const {
  return parts_->program->header().shape == ReplicaShape::kWide ? 4096 : 256;
}

auto GpuReplicas::run(const Request& request, ConflictLog* log) const -> Runs {
  const ReplicaProgram& program = *parts_->program;
  const std::uint64_t max_steps = std::min<std::uint64_t>(request.max_steps, kMostReplicaSteps);
  const ReplicaRequest wanted{request.seed,  request.stream,
                              request.first, request.count,
                              std::min(request.kept, request.count),
                              static_cast<std::uint32_t>(max_steps)};
  Runs out;
  ReplicaBatch batch;
  if (!request.on_gpu) batch = run_on_host(program.header(), program.image(), wanted);
  else out.fault = run_on_gpu(program.header(), program.image(), wanted, batch);
  if (!out.fault.empty()) return out;
  out.runs.resize(request.count);
  const auto is_cut = [&](const ReplicaEnd& end) {
    return end.outcome == ReplicaOutcome::kLimit && end.steps < request.max_steps;
  };
  if (std::any_of(batch.ends.begin(), batch.ends.end(), is_cut)) {
    // What was counted of a run that goes on elsewhere cannot be told from the others' sums.
    for (std::uint32_t i = 0; i < request.count; ++i) out.left.push_back(i);
    return out;
  }
  for (std::uint32_t i = 0; i < request.count; ++i) {
    const ReplicaEnd& end = batch.ends[i];
    if (end.outcome == ReplicaOutcome::kLeft) out.left.push_back(i);
    else out.runs[i] = program.result(wanted, batch, i);
  }
  if (log) program.add_conflicts_to(batch, *log);
  return out;
}

}  // namespace pnsim
