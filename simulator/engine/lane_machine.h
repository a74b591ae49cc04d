// The behaviour of one lane on its own, computed once by the firing rule and then looked up. It
// consists of the states of a lane and of the segments between them, which no other part of the net
// can influence.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/engine/lane_program.h"
#include "simulator/engine/law.h"

namespace pnsim {

enum class LaneKind : std::uint8_t {
  kIdle,    // no transition of the lane is enabled
  kParked,  // a transition waits for tokens of shared places
  kFlight,  // the next segment depends only on the lane, without a draw
  kChoice,  // the same after one draw
  kMixed,   // any other state: handled step by step together with the rest of the net
};

// A state of a lane: its marking, with counters capped at their levels.
struct LaneNode {
  LaneKind kind = LaneKind::kMixed;
  std::uint32_t lane_class =
      0;                      // kParked: which transition waits, as a number below kMaxLaneClasses
  std::uint32_t segment = 0;  // kParked, kFlight: the next one; kChoice: segment + j after draw j
  std::uint32_t choices = 0;  // kChoice: the number of choices
  std::uint32_t draw_place = 0;  // kChoice: position of the lowest contested place
  std::uint32_t longest = 0;     // steps of its longest segment
};

// The steps of a lane up to its next state. They start with the step in which its first transitions
// fire.
struct LaneSegment {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t first_burst = 0;  // changes of signals: [first_burst, end_burst) of bursts()
  std::uint32_t end_burst = 0;
  std::uint32_t duration = 0;     // steps
  std::uint32_t counter = kNone;  // the counter that the last step takes from
  std::uint32_t taken = 0;        // tokens taken from it
  std::uint32_t top_level = 0;    // top level of the counter; more tokens are equivalent
  std::array<std::uint32_t, 4> next = {kNone, kNone, kNone,
                                       kNone};  // node, by level of the counter
};

// A change of signals some steps after a segment begins: valid from marking (begin + offset) on.
struct LaneBurst {
  Signals change;
  std::uint32_t offset = 0;
};

inline constexpr std::size_t kMaxCounters = 4;  // per lane

// It grows with use and is not thread-safe. The program must outlive it.
class LaneMachine {
 public:
  explicit LaneMachine(const LaneProgram& program);

  const LaneProgram& program() const { return program_; }

  // The positions of places that are counters.
  const std::vector<std::uint32_t>& counters() const { return counters_; }
  std::uint32_t level(std::uint32_t counter, Tokens tokens) const {
    return tokens < top_level_[counter] ? static_cast<std::uint32_t>(tokens) : top_level_[counter];
  }

  // The node of a marking of the lane (counters with all their tokens).
  std::uint32_t node_of(const Marking& local);
  // The node after a segment when its counter, if any, is at `level` afterwards.
  std::uint32_t next_node(std::uint32_t segment, std::uint32_t level);

  const LaneNode* nodes() const { return nodes_.data(); }
  const LaneSegment* segments() const { return segments_.data(); }
  const LaneBurst* bursts() const { return bursts_.data(); }
  std::size_t segment_count() const { return segments_.size(); }
  std::size_t node_count() const { return nodes_.size(); }
  std::uint32_t longest_segment() const { return longest_; }
  // [lane_class] positions of the transitions for which lanes wait in kParked.
  const std::vector<std::uint32_t>& lane_classes() const { return lane_classes_; }

  // True when the lane has too many states, or too many tokens in a place, to store. All later
  // answers of the machine are then invalid.
  bool is_exhausted() const { return exhausted_; }

  // Queries outside the fast path.

  // The marking of a node, with counters at their levels.
  const Marking& marking(std::uint32_t node) const { return *node_markings_[node]; }

  struct Walk {
    Marking marking;  // counters as at the begin of the segment
    std::uint64_t firings = 0;
    std::uint64_t waiting = 0;  // firings of observed transitions among them
  };
  // Replays the first `steps` steps of a segment.
  Walk walk(std::uint32_t segment, std::uint32_t steps);

  // A draw of kChoice, by positions. Used by the conflict log.
  struct Contest {
    PlaceId place;
    std::vector<TransitionId> takers;
  };
  struct SegmentRecord {
    std::uint32_t node = 0;                             // start node
    std::vector<TransitionId> first;                    // the transitions of its first step
    std::uint64_t firings = 0, waiting = 0;             // in the whole segment
    std::vector<Contest> contests;                      // decided at its begin
    std::vector<std::pair<PlaceId, TransitionId>> won;  // contested places and winners
    Marking end;                                        // before the counter is reduced
  };
  const SegmentRecord& record(std::uint32_t segment) const { return records_[segment]; }

 private:
  struct Behaviour;
  std::uint32_t intern(Marking key);
  Behaviour behaviour_at(const Marking& marking);
  void examine_conflict(const Marking& marking, Behaviour& behaviour);
  bool takes_of_two_counters(std::span<const TransitionId> fired) const;
  std::uint32_t class_of(std::uint32_t transition);
  std::uint32_t add_segment(std::uint32_t node, const std::vector<TransitionId>& first,
                            const std::vector<Contest>& contests);
  void make_step(std::span<const TransitionId> fired, Marking& marking, Signals& change,
                 SegmentRecord& record, LaneSegment& segment) const;

  const LaneProgram& program_;
  StepPlan plan_;
  std::vector<std::uint32_t> counters_;       // [counter] position
  std::vector<std::uint32_t> counter_at_;     // [position] counter or kNone
  std::vector<std::uint32_t> top_level_;      // [counter]
  std::map<Marking, std::uint32_t> node_at_;  // keys hold counters at their levels
  std::vector<const Marking*> node_markings_;
  std::vector<LaneNode> nodes_;
  std::vector<LaneSegment> segments_;
  std::vector<SegmentRecord> records_;  // [segment]
  std::vector<LaneBurst> bursts_;
  std::vector<std::uint32_t> lane_classes_;
  std::uint32_t longest_ = 1;
  bool exhausted_ = false;
};

}  // namespace pnsim
