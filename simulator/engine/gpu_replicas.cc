#include "simulator/engine/gpu_replicas.h"

#include <algorithm>

#include "simulator/base/gpu_probe.h"
#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/cuda/replica_program_maker.h"

namespace pnsim {
struct GpuReplicas::Parts {
  std::shared_ptr<const LaneProgram> lanes;
  LaneMachine machine;
  std::optional<ReplicaProgram> program;

  explicit Parts(std::shared_ptr<const LaneProgram> made)
      : lanes(std::move(made)), machine(*lanes) {}
};

std::string why_not_on_gpu() {
  return cuda_device_count() == 0 ? "found no CUDA device or no driver" : why_no_gpu();
}

GpuReplicas::GpuReplicas(const FastRunner& runner) : why_not_(runner.why_not_lanes()) {
  if (!runner.uses_lanes()) return;
  parts_ = std::make_unique<Parts>(runner.lane_program());
  parts_->program = make_replica_program(*parts_->lanes, parts_->machine, why_not_);
}

GpuReplicas::~GpuReplicas() = default;

std::uint32_t GpuReplicas::fewest_that_pay() const {
  return parts_->program->header().shape == ReplicaShape::kWide ? 4096 : 256;
}

auto GpuReplicas::run(const Request& request, ConflictLog* log) const -> Runs {
  const ReplicaProgram& program = *parts_->program;
  const ReplicaRequest wanted{request.seed,
                              request.stream,
                              request.first,
                              request.count,
                              std::min(request.kept, request.count),
                              ReplicaProgram::steps_below(request.max_steps)};
  Runs out;
  ReplicaBatch batch;
  if (!request.on_gpu)
    batch = run_on_host(program.header(), program.image(), wanted);
  else
    out.fault = run_on_gpu(program.header(), program.image(), wanted, batch);
  if (!out.fault.empty()) return out;
  out.runs = program.results(wanted, batch, request.max_steps, log, out.left);
  return out;
}

}  // namespace pnsim
