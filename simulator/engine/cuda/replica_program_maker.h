// Checks whether a net of lanes fits the GPU replicas, and builds their tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/cuda/replica_program.h"

namespace pnsim {

// Nothing when the net does not fit; `why` then says it in words. It fits when all lanes wait for
// one shared place at a time, each kind for another one, and come back to wait, or rest; and when
// the shared transitions give back what they take.
std::optional<ReplicaProgram> make_replica_program(const LaneProgram& program, LaneMachine& machine,
                                                   std::string& why);

class ReplicaProgramMaker {
 public:
  ReplicaProgramMaker(const LaneProgram& program, LaneMachine& machine);

  // Call it at most once. It returns nothing when the net does not fit; why() then gives the
  // reason.
  std::optional<ReplicaProgram> make();
  const std::string& why() const { return why_; }

 private:
  bool refuse(const std::string& why);
  bool explore();
  bool explore_segment(std::uint32_t node, std::uint32_t segment);
  bool check_classes();
  bool find_longest_path();
  bool add_signals();
  bool add_loops();
  bool add_lane_fields();
  void add_classes();
  void add_goal();
  void fill_image();
  ReplicaNode node_row(const LaneNode& node);
  ReplicaSegment segment_row(std::uint32_t segment);
  std::uint8_t tally_of(std::uint32_t segment);
  std::uint32_t signal_bits(std::uint32_t signal) const;
  std::uint64_t packed(const Signals& signals) const;

  template <class Row>
  std::uint32_t append(const std::vector<Row>& rows);

  const LaneProgram& lanes_;
  LaneMachine& machine_;
  ReplicaProgram out_;
  ReplicaHeader& header_;
  std::string why_;
  std::vector<std::uint32_t> first_node_;         // [lane]
  std::vector<std::vector<std::uint32_t>> next_;  // [node] successor nodes
  std::vector<std::uint32_t> draw_rows_;          // positions of the places of draws
  std::map<std::string, std::uint8_t> tallies_;   // set of conflicts -> number of its tally
};

}  // namespace pnsim
