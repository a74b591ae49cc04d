// The tables by which a GPU runs a net of lanes, made from what the lane engine knows of it.
#pragma once

#include <algorithm>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/lane_machine.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

// Made by make_replica_program() (replica_program_maker.h). A program and its machine must outlive
// it; the machine is explored to its end.
class ReplicaProgram {
 public:
  const ReplicaHeader& header() const { return header_; }
  const std::vector<std::uint32_t>& image() const { return image_; }

  // Of packed signals: one of them.
  Tokens signal_value(std::uint64_t packed, std::size_t signal) const {
    return static_cast<Tokens>(packed >> signals_[signal].shift & signals_[signal].mask);
  }

  // A step is 32 bits in these runs.
  static std::uint32_t steps_below(std::uint64_t max_steps) {
    return static_cast<std::uint32_t>(std::min(max_steps, std::uint64_t{1} << 31));
  }

  // The results of a batch; `left`: positions of runs that another engine is to make. `log` (may be
  // null) also gets the conflicts of all others. `max_steps`: as wished, before steps_below().
  std::vector<RunResult> results(const ReplicaRequest& request, const ReplicaBatch& batch,
                                 std::uint64_t max_steps, ConflictLog* log,
                                 std::vector<std::uint32_t>& left) const;

 private:
  // The result of a replica that was not left to the CPU; with the final marking when it was kept.
  RunResult result(const ReplicaRequest& request, const ReplicaBatch& batch,
                   std::uint32_t index) const;
  // Who won what, of all replicas of the batch that were not left to the CPU.
  void add_conflicts_to(const ReplicaBatch& batch, ConflictLog& log) const;

  friend class ReplicaProgramMaker;
  ReplicaProgram(const LaneProgram& program, LaneMachine& machine)
      : program_(&program), machine_(&machine) {}

  Marking final_marking(const std::uint32_t* words) const;

  struct Field {  // of a lane's word
    std::uint32_t shift = 0, bits = 0;
  };
  const LaneProgram* program_;
  LaneMachine* machine_;
  ReplicaHeader header_{};
  std::vector<std::uint32_t> image_;
  std::vector<SignalField> signals_;          // [signal]
  std::vector<Field> counters_;               // [counter]
  std::vector<std::uint32_t> tally_segment_;  // [tally] a segment with this story of conflicts
};

}  // namespace pnsim
