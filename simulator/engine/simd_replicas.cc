#include "simulator/engine/simd_replicas.h"

#include <algorithm>

#include "simulator/engine/cuda/replica_program_maker.h"
#include "simulator/engine/simd/simd_run.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kMaxStepsOfLane = 256;  // longest path, divided by the number of lanes

}  // namespace

struct SimdReplicas::Parts {
  std::shared_ptr<const LaneProgram> lanes;
  LaneMachine machine;
  std::optional<ReplicaProgram> program;
  std::optional<SimdTables> tables;

  explicit Parts(std::shared_ptr<const LaneProgram> made)
      : lanes(std::move(made)), machine(*lanes) {}
};

SimdReplicas::SimdReplicas(const FastRunner& runner) : why_not_(runner.why_not_lanes()) {
  if (best_simd() == SimdKind::kNone) why_not_ = "the processor has neither AVX-512 nor AVX2";
  if (!why_not_.empty()) return;
  parts_ = std::make_unique<Parts>(runner.lane_program());
  parts_->program = make_replica_program(*parts_->lanes, parts_->machine, why_not_);
  if (!parts_->program) return;
  parts_->tables = SimdTables::make(parts_->program->header(), parts_->program->image(), why_not_);
}

SimdReplicas::~SimdReplicas() = default;

bool SimdReplicas::pays() const {
  const ReplicaHeader& header = parts_->program->header();
  return header.wheel_slots <= kMaxStepsOfLane * header.lane_count;
}

auto SimdReplicas::run(const Request& request, ConflictLog* log) const -> Runs {
  const ReplicaProgram& program = *parts_->program;
  const ReplicaRequest wanted{request.seed,
                              request.stream,
                              request.first,
                              request.count,
                              std::min(request.kept, request.count),
                              ReplicaProgram::steps_below(request.max_steps)};
  ReplicaBatch batch(program.header(), wanted);
  const ReplicaOut to{batch.ends.data(), batch.finals.data(), batch.sums.data()};
  const SimdKind kind = request.avx2_only ? SimdKind::kAvx2 : best_simd();
  run_simd(kind, *parts_->tables, wanted, to, log != nullptr);
  Runs out;
  out.runs = program.results(wanted, batch, request.max_steps, log, out.left);
  return out;
}

}  // namespace pnsim
