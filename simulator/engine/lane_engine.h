// The engine for nets of lanes. It examines a lane when the lane interacts with shared places, and
// not in the steps in between.
#pragma once

#include <optional>
#include <vector>

#include "simulator/base/activity.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/lane_machine.h"
#include "simulator/engine/lane_set.h"
#include "simulator/engine/philox_batch.h"
#include "simulator/engine/run_result.h"
#include "simulator/engine/time_wheel.h"

// Inlined into the main loop, which is compiled once for any processor and once for BMI2.
#define PNSIM_HOT [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define PNSIM_BMI2 [[gnu::target("avx2,bmi,bmi2,popcnt")]]
#else
#define PNSIM_BMI2
#endif

namespace pnsim {

// Steps with an explicit list of all candidates, settled by the firing rule.
struct GeneralSettling {
  explicit GeneralSettling(const LaneProgram& program);

  struct Owner {
    std::uint32_t lane;      // WheelSlot::kNoLane: shared
    std::uint32_t position;  // in the lane, or among the shared transitions
  };
  StepPlan plan;
  Marking marking;  // valid at the input places of the candidates
  std::vector<TransitionId> candidates, fired;
  std::vector<Owner> owner;             // [transition]
  std::vector<std::uint32_t> position;  // [place] position in its lane
};

// One run. A lane that receives its tokens travels: its behaviour until the next wait depends only
// on the lane and the draws. So the engine computes that path at once, and schedules its effects on
// others on a time wheel. It jumps over steps without interaction.
//
// Ready is OneWordSet for up to 64 lanes, else ManyWordSet. Program and machine must outlive the
// engine. A machine serves one engine at a time and learns with every run.
template <class Ready>
class LaneEngine {
 public:
  // With `log_conflicts`, add_conflicts_to() is available afterwards; names_match() of the program
  // must be true.
  LaneEngine(const LaneProgram& program, LaneMachine& machine, RunId id,
             bool log_conflicts = false);

  // Continues until the run ends or `max_steps` steps are done in total. After kLimit another call
  // with a larger limit continues. Nothing: the engine gave up, and its state is invalid.
  std::optional<Outcome> run(std::uint64_t max_steps);

  std::uint64_t steps() const { return step_; }
  // The number of transitions that were listed one by one, over all steps: a measure of the work.
  std::uint64_t listed() const { return listed_; }
  Marking marking() const;
  RunResult result(Outcome outcome) const;
  void add_conflicts_to(ConflictLog& log) const;

 private:
  using Counts = std::array<Tokens, kMaxCounters>;
  struct Lane {
    std::uint64_t since = 0;  // the step in which it started to travel
    std::uint64_t until = 0;  // the step before which it is ...
    std::uint32_t at = 0;     // ... at this node,
    std::uint32_t from = 0;   // having started from this one
    std::uint32_t next_woken = WheelSlot::kNoLane;
    Counts counts{};  // values of the counters at `until`
    Counts before{};  // values of the counters at `since`
  };
  struct Class {  // a class of waiting transitions
    std::uint32_t position = 0;
    const SignalEffect* effect = nullptr;
    bool is_simple = false;  // waits only for tokens of one shared place:
    std::uint32_t signal = 0;
    std::int32_t weight = 0;  // 0: not simple
    std::uint64_t contested_steps = 0, contested_wins = 0;
  };
  // What the signals and the ready lanes of the current step allow.
  struct Decision {
    std::uint32_t live = 0;  // bit c: lanes of class c are enabled
    // No place has takers of two classes, and no shared transition changes M. Mixed lanes are not
    // looked at.
    bool is_simple = true;
    std::uint32_t self_loops = 0;  // enabled shared transitions that return what they take
    std::uint32_t waiting = 0;     // number of observed ones among them
    std::int32_t pool_taken = 0;
  };
  struct PathSegment {         // a segment of a lane's path
    std::uint64_t begin, end;  // steps: the first, and the one after the last
    std::uint32_t segment;
    Counts counts;  // at its first step
  };

  // Executes a number of iterations, each a step or a jump. Nothing: the run has not ended.
  template <class Bits>
  PNSIM_HOT std::optional<Outcome> loop(std::uint64_t max_steps);
  std::optional<Outcome> loop_portable(std::uint64_t max_steps);
  PNSIM_BMI2 std::optional<Outcome> loop_bmi2(std::uint64_t max_steps);
  PNSIM_HOT bool holds(const std::vector<SignalCondition>& conditions) const;
  PNSIM_HOT Decision decide() const;
  PNSIM_HOT bool goal_holds() const;
  bool is_over_limits() const;
  template <class Bits>
  PNSIM_HOT std::int32_t grant(std::uint32_t lane_class);
  PNSIM_HOT void count_idle(std::uint64_t steps, std::int32_t taken);
  PNSIM_HOT void count_idle_step(std::int32_t taken);
  PNSIM_HOT void jump(const Decision& decision, std::uint64_t max_steps);
  PNSIM_HOT void begin_step(std::uint64_t step);

  PNSIM_HOT void depart(std::uint32_t lane);
  PNSIM_HOT void travel(std::uint32_t lane, std::uint32_t segment, std::uint64_t step);
  PNSIM_HOT std::uint32_t next_node(std::uint32_t lane, std::uint32_t segment);
  [[gnu::noinline]] std::uint32_t resolve(std::uint32_t segment, std::uint32_t level);
  PNSIM_HOT std::uint32_t segment_from(std::uint32_t lane, const LaneNode& node,
                                       std::uint64_t step) const;
  PNSIM_HOT void wake_at(std::uint32_t lane, std::uint32_t node, std::uint64_t step);
  [[gnu::noinline]] void wake_all(std::uint32_t first);
  void wake(std::uint32_t lane);
  [[gnu::noinline]] std::uint32_t later_word(std::uint32_t lane_class, std::uint32_t d) const;
  PNSIM_HOT void start_travel(std::uint32_t lane);
  void keep_up_with_machine();

  // Steps that are settled with an explicit list of all candidates.
  [[gnu::noinline]] std::optional<Outcome> general_step(std::uint64_t max_steps);
  void list_candidates();
  void list_of_mixed(std::uint32_t lane);
  void add_candidate(TransitionId t, const Marking& local);
  void apply_general(std::int32_t pool_taken);
  void move_mixed(std::uint32_t lane, std::span<const TransitionId> fired);
  void apply_effect(const SignalEffect& effect);
  // Steps in which lanes at mixed nodes compete with the parked lanes of one class.
  struct Crowd;
  [[gnu::noinline]] std::optional<Outcome> mixed_step(std::uint32_t lane_class,
                                                      std::uint64_t max_steps);
  std::int32_t settle_mixed(std::uint32_t lane_class, PlaceId place);

  Marking lane_marking(std::uint32_t lane) const;
  Marking marking_at_node(std::uint32_t lane) const;
  std::vector<PathSegment> path_of(std::uint32_t lane) const;
  std::vector<std::uint64_t> begun_visits() const;
  void take_back_rest(std::uint32_t lane, RunResult& result) const;
  TransitionId transition(std::uint32_t lane, std::uint32_t position) const {
    return program_.split().transitions[lane][position];
  }

  const LaneProgram& program_;
  LaneMachine& machine_;
  RunId id_;
  RunKey key_;
  FirstWords first_words_;
  // The machine's tables; read again when the machine has learnt something new.
  const LaneNode* nodes_ = nullptr;
  const LaneSegment* segments_ = nullptr;
  const LaneBurst* bursts_ = nullptr;
  std::uint32_t class_count_ = 0;
  const LaneProgram::SharedTransition* shared_ = nullptr;
  std::uint32_t shared_count_ = 0;
  const std::uint32_t* places_ = nullptr;  // LaneProgram::places()
  std::uint32_t lane_count_ = 0;
  std::uint32_t goal_signal_ = 0, pool_signal_ = 0;  // kMaxSignals: none
  std::uint64_t step_ = 0;
  Signals signals_;  // for the marking before step_
  TimeWheel wheel_;
  std::vector<Ready> ready_;  // [lane class]
  std::vector<Class> classes_;
  std::vector<DrawAhead> draws_;  // [lane class]
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> shared_goal_;   // signals of goal places outside of lanes
  std::vector<std::uint32_t> mixed_;         // lanes at nodes of kMixed
  std::vector<std::uint64_t> visits_;        // [segment] lanes that started it
  std::uint64_t firings_ = 0, waiting_ = 0;  // not counted by visits_
  unsigned __int128 idle_ = 0;
  std::uint64_t recent_idle_ = 0;  // for the steps since idle_ was updated
  ToldSteps told_;

  std::uint64_t listed_ = 0;
  std::optional<GeneralSettling> general_;  // created on first use
  std::optional<ConflictLog> log_;          // for general steps; present when conflicts are logged
};

extern template class LaneEngine<OneWordSet>;
extern template class LaneEngine<ManyWordSet>;

}  // namespace pnsim
