// The tables with which a GPU runs a net of lanes, built from the lane engine's knowledge of the
// net.
#pragma once

#include <algorithm>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/lane_machine.h"
#include "simulator/engine/run_result.h"

namespace pnsim {

// Made by make_replica_program() (replica_program_maker.h). The program and its machine must
// outlive it; the machine is fully explored.
class ReplicaProgram {
 public:
  const ReplicaHeader& header() const { return header_; }
  const std::vector<std::uint32_t>& image() const { return image_; }

  // Extracts one signal from the packed signals.
  Tokens signal_value(std::uint64_t packed, std::size_t signal) const {
    return static_cast<Tokens>(packed >> signals_[signal].shift & signals_[signal].mask);
  }

  // These runs count steps in 32 bits.
  static std::uint32_t steps_below(std::uint64_t max_steps) {
    return static_cast<std::uint32_t>(std::min(max_steps, std::uint64_t{1} << 31));
  }

  // The results of a batch. `left` gets the positions of runs that another engine must make. `log`
  // (may be null) gets the conflicts of all other runs. `max_steps` is the requested limit, before
  // steps_below().
  std::vector<RunResult> results(const ReplicaRequest& request, const ReplicaBatch& batch,
                                 std::uint64_t max_steps, ConflictLog* log,
                                 std::vector<std::uint32_t>& left) const;

 private:
  // The result of a replica that was not left to the CPU, with the final marking when it was kept.
  RunResult result(const ReplicaRequest& request, const ReplicaBatch& batch,
                   std::uint32_t index) const;
  // Adds the contests and winners of all replicas of the batch that were not left to the CPU.
  void add_conflicts_to(const ReplicaBatch& batch, ConflictLog& log) const;

  friend class ReplicaProgramMaker;
  ReplicaProgram(const LaneProgram& program, LaneMachine& machine)
      : program_(&program), machine_(&machine) {}

  Marking final_marking(const std::uint32_t* words) const;

  struct Field {  // bit field of a lane's word
    std::uint32_t shift = 0, bits = 0;
  };
  const LaneProgram* program_;
  LaneMachine* machine_;
  ReplicaHeader header_{};
  std::vector<std::uint32_t> image_;
  std::vector<SignalField> signals_;          // [signal]
  std::vector<Field> counters_;               // [counter]
  std::vector<std::uint32_t> tally_segment_;  // [tally] a segment with these conflicts
};

}  // namespace pnsim
