// The engine for nets of lanes: a lane is looked at when it meets what the lanes share, and not in
// the steps in between.
#pragma once

#include <optional>
#include <vector>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/lane_machine.h"
#include "simulator/engine/lane_set.h"
#include "simulator/engine/philox_batch.h"
#include "simulator/engine/run_result.h"
#include "simulator/engine/time_wheel.h"

// Inlined into the loop, which is compiled once for any processor and once for those with BMI2.
#define PNSIM_HOT [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define PNSIM_BMI2 [[gnu::target("avx2,bmi,bmi2,popcnt")]]
#else
#define PNSIM_BMI2
#endif

namespace pnsim {

// Steps with all candidates written out, settled by the law.
struct GeneralSettling {
  explicit GeneralSettling(const LaneProgram& program);

  struct Owner {
    std::uint32_t lane;      // WheelSlot::kNobody: shared
    std::uint32_t position;  // in the lane, or among the shared transitions
  };
  StepPlan plan;
  Marking marking;  // right at the input places of the candidates
  std::vector<TransitionId> candidates, fired;
  std::vector<Owner> owner;             // [transition]
  std::vector<std::uint32_t> position;  // [place] of a lane
};

// One run. A lane that gets what it waits for travels: all that it does until it waits again
// follows from the lane alone and the draws, so it is settled at once, and what the others will
// see of it is put on a time wheel. Steps in which nobody meets anybody are jumped over.
//
// Ready is OneWordSet for up to 64 lanes, else ManyWordSet. Program and machine must outlive the
// engine; a machine serves one engine at a time and knows more with every run.
template <class Ready>
class LaneEngine {
 public:
  // With `log_conflicts` add_conflicts_to() can be asked afterwards; the program's names must
  // match then.
  LaneEngine(const LaneProgram& program, LaneMachine& machine, RunId id,
             bool log_conflicts = false);

  // Runs on until the run ends or `max_steps` steps are done in all; kLimit: call again with more
  // and it goes on. Nothing: it gave up, and what it holds is void.
  std::optional<Outcome> run(std::uint64_t max_steps);

  std::uint64_t steps() const { return step_; }
  Marking marking() const;
  RunResult result(Outcome outcome) const;
  void add_conflicts_to(ConflictLog& log) const;

 private:
  using Counts = std::array<Tokens, kMaxCounters>;
  struct Lane {
    std::uint64_t since = 0;  // the step in which it set out,
    std::uint64_t until = 0;  // the step before which it is ...
    std::uint32_t at = 0;     // ... at this node,
    std::uint32_t from = 0;   // having set out from this one
    std::uint32_t next_woken = WheelSlot::kNobody;
    Counts counts{};  // tokens of the counters at `until`
    Counts before{};  // the same at `since`
  };
  struct Class {  // of waiting transitions
    std::uint32_t position = 0;
    const SignalEffect* effect = nullptr;
    bool is_simple = false;  // waits for tokens of one shared place and nothing else:
    std::uint32_t signal = 0;
    std::int32_t weight = 0;  // 0: not simple
    std::uint64_t contested_steps = 0, contested_wins = 0;
  };
  // What the signals and the ready lanes of the step at hand allow.
  struct Decision {
    std::uint32_t live = 0;  // bit c: lanes of class c are enabled
    bool is_simple = true;   // no place has takers of two kinds, no shared transition changes M
    std::uint32_t self_loops = 0;  // enabled shared transitions that give back what they take
    std::uint32_t waiting = 0;     // of them, those observed
    std::int32_t pool_taken = 0;
  };
  struct Leg {                 // a segment on a lane's way
    std::uint64_t begin, end;  // steps: its first, and the one after its last
    std::uint32_t segment;
    Counts counts;  // at its begin
  };

  // A number of turns, each a step or a jump. Nothing: the run goes on.
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
  PNSIM_HOT void set_out(std::uint32_t lane);
  void keep_up_with_machine();

  // Steps that are settled with all candidates written out.
  [[gnu::noinline]] std::optional<Outcome> general_step(std::uint64_t max_steps);
  void list_candidates();
  void list_of_mixed(std::uint32_t lane);
  void add_candidate(TransitionId t, const Marking& local);
  void apply_general();
  void move_mixed(std::uint32_t lane, std::span<const TransitionId> fired);
  void apply_effect(const SignalEffect& effect);

  Marking lane_marking(std::uint32_t lane) const;
  Marking marking_at_node(std::uint32_t lane) const;
  std::vector<Leg> legs(std::uint32_t lane) const;
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
  // What the machine knows so far; refreshed when it learns.
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
  Signals signals_;  // of the marking before step_
  TimeWheel wheel_;
  std::vector<Ready> ready_;  // [lane class]
  std::vector<Class> classes_;
  std::vector<DrawAhead> draws_;  // [lane class]
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> shared_goal_;   // signals of goal places outside of lanes
  std::vector<std::uint32_t> mixed_;         // lanes at nodes of kMixed
  std::vector<std::uint64_t> visits_;        // [segment] lanes that set out on it
  std::uint64_t firings_ = 0, waiting_ = 0;  // not counted by visits_
  unsigned __int128 idle_ = 0;
  std::uint64_t recent_idle_ = 0;  // of steps since idle_ was brought up to date

  std::optional<GeneralSettling> general_;  // made when first needed
  std::optional<ConflictLog> log_;          // of general steps; there when conflicts are logged
};

extern template class LaneEngine<OneWordSet>;
extern template class LaneEngine<ManyWordSet>;

}  // namespace pnsim
