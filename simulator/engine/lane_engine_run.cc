// The fast part of the lane engine. It handles steps in which the lanes of one class at a time take
// from the shared places, and jumps over steps without interaction.

#include <algorithm>

#include "simulator/engine/lane_engine.h"

namespace pnsim {

GeneralSettling::GeneralSettling(const LaneProgram& program)
    : plan(program.net()),
      marking(program.net().place_count()),
      owner(program.net().transition_count()),
      position(program.net().place_count()) {
  const LaneSplit& split = program.split();
  for (std::uint32_t lane = 0; lane < split.lanes(); ++lane) {
    const auto& places = split.places[lane];
    const auto& transitions = split.transitions[lane];
    for (std::uint32_t k = 0; k < places.size(); ++k) position[places[k].value] = k;
    for (std::uint32_t k = 0; k < transitions.size(); ++k) owner[transitions[k].value] = {lane, k};
  }
  const auto& shared = split.shared_transitions;
  for (std::uint32_t k = 0; k < shared.size(); ++k) {
    owner[shared[k].value] = {WheelSlot::kNoLane, k};
  }
}

template <class Ready>
LaneEngine<Ready>::LaneEngine(const LaneProgram& program, LaneMachine& machine, RunId id,
                              bool log_conflicts)
    : program_(program),
      machine_(machine),
      id_(id),
      key_(run_key(id)),
      first_words_(key_),
      signals_(program.initial_signals()),
      lanes_(program.lanes()) {
  if (log_conflicts) log_.emplace(program.net());
  goal_signal_ = program.goal_signal().value_or(kMaxSignals);
  pool_signal_ = program.pool_signal().value_or(kMaxSignals);
  places_ = program.places();
  lane_count_ = static_cast<std::uint32_t>(program.lanes());
  shared_ = program.shared_transitions().data();
  shared_count_ = static_cast<std::uint32_t>(program.shared_transitions().size());
  classes_.reserve(kMaxLaneClasses);  // keeps references valid
  ready_.reserve(kMaxLaneClasses);
  draws_.reserve(kMaxLaneClasses);
  for (const PlaceId p : program.net().goal()) {
    if (const auto signal = program.signal_of(p)) shared_goal_.push_back(*signal);
  }
  Marking local, before;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    program.initial_marking_of(lane, local);
    for (std::size_t c = 0; c < machine.counters().size(); ++c) {
      lanes_[lane].counts[c] = local[machine.counters()[c]];
    }
    lanes_[lane].at = lane > 0 && local == before ? lanes_[lane - 1].at : machine.node_of(local);
    before.swap(local);
  }
  keep_up_with_machine();
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) wake(lane);
}

// Reads the tables again after the machine has found new segments and lane classes.
template <class Ready>
void LaneEngine<Ready>::keep_up_with_machine() {
  visits_.resize(machine_.segment_count());
  // A quarter more than the longest segment: most paths continue with a short segment.
  const std::uint64_t longest = machine_.longest_segment();
  wheel_.reserve(longest + longest / 4 + 2, step_ + 1);
  while (classes_.size() < machine_.lane_classes().size()) {
    const std::uint32_t position = machine_.lane_classes()[classes_.size()];
    const SignalEffect& effect = program_.lane_effects()[position];
    Class made{.position = position, .effect = &effect};
    made.is_simple = effect.takes.size() == 1 && effect.conditions.size() == 1;
    if (made.is_simple) {
      made.signal = effect.takes[0].signal;
      made.weight = effect.takes[0].weight;
    }
    classes_.push_back(made);
    ready_.emplace_back(lanes_.size());
    draws_.emplace_back(key_,
                        made.is_simple ? program_.split().shared_places[made.signal] : PlaceId{});
  }
  nodes_ = machine_.nodes();
  segments_ = machine_.segments();
  bursts_ = machine_.bursts();
  class_count_ = static_cast<std::uint32_t>(classes_.size());
}

template <class Ready>
bool LaneEngine<Ready>::holds(const std::vector<SignalCondition>& conditions) const {
  for (const SignalCondition& c : conditions) {
    if (signals_[c.signal] < c.min || signals_[c.signal] > c.max) return false;
  }
  return true;
}

template <class Ready>
auto LaneEngine<Ready>::decide() const -> Decision {
  Decision out;
  std::uint32_t used = 0;  // bit s: some lane takes from signal s
  bool is_simple = true;
  for (std::uint32_t c = 0; c < class_count_; ++c) {
    const Class& waiting = classes_[c];
    if (ready_[c].empty() || signals_[waiting.signal] < waiting.weight) continue;
    if (!waiting.is_simple && !holds(waiting.effect->conditions)) continue;
    is_simple = is_simple && waiting.is_simple && (used >> waiting.signal & 1) == 0;
    used |= 1u << waiting.signal;
    out.live |= 1u << c;
  }
  for (std::uint32_t i = 0; i < shared_count_; ++i) {
    const LaneProgram::SharedTransition& shared = shared_[i];
    if (!holds(shared.effect.conditions)) continue;
    is_simple = is_simple && shared.changes_nothing;
    for (const SignalArc& arc : shared.effect.takes) {
      is_simple = is_simple && (used >> arc.signal & 1) == 0;
      used |= 1u << arc.signal;
    }
    ++out.self_loops;
    out.waiting += shared.effect.is_waiting ? 1 : 0;
    out.pool_taken += shared.effect.pool_taken;
  }
  out.is_simple = is_simple;
  return out;
}

template <class Ready>
bool LaneEngine<Ready>::goal_holds() const {
  if (goal_signal_ == kMaxSignals || signals_[goal_signal_] != 0) return false;
  return std::all_of(shared_goal_.begin(), shared_goal_.end(),
                     [&](std::uint32_t signal) { return signals_[signal] == 0; });
}

template <class Ready>
bool LaneEngine<Ready>::is_over_limits() const {
  for (std::size_t i = 0; i < kMaxSignals; ++i) {
    if (signals_[i] > kMaxSignal) return true;
  }
  return false;
}

template <class Ready>
void LaneEngine<Ready>::count_idle(std::uint64_t steps, std::int32_t taken) {
  if (pool_signal_ == kMaxSignals) return;
  const std::int32_t tokens = signals_[pool_signal_];
  idle_ += static_cast<unsigned __int128>(steps) * static_cast<std::uint32_t>(tokens - taken);
}

template <class Ready>
void LaneEngine<Ready>::count_idle_step(std::int32_t taken) {
  if (pool_signal_ == kMaxSignals) return;
  recent_idle_ += static_cast<std::uint64_t>(signals_[pool_signal_] - taken);
}

// Applies the marking before `step`, which is later than the current step.
template <class Ready>
void LaneEngine<Ready>::begin_step(std::uint64_t step) {
  step_ = step;
  if (!wheel_.is_occupied(step)) return;
  WheelSlot& slot = wheel_.take(step);
  signals_ += slot.change;
  slot.change = Signals{};
  if constexpr (Ready::kIsOneWord) {
    for (std::uint32_t c = 0; c < class_count_; ++c) {
      ready_[c].insert_all(slot.arrivals[c]);
      slot.arrivals[c] = 0;
    }
  }
  const std::uint32_t woken = slot.woken;
  slot.woken = WheelSlot::kNoLane;
  if (woken != WheelSlot::kNoLane) wake_all(woken);
}

template <class Ready>
void LaneEngine<Ready>::wake_all(std::uint32_t lane) {
  while (lane != WheelSlot::kNoLane) {
    const std::uint32_t next = lanes_[lane].next_woken;
    wake(lane);
    lane = next;
  }
}

// Until a travelling lane returns, only self-loops can fire.
template <class Ready>
void LaneEngine<Ready>::jump(const Decision& decision, std::uint64_t max_steps) {
  const std::uint64_t target = std::min(wheel_.next_after(step_), max_steps);
  const std::uint64_t steps = target - step_;
  firings_ += steps * decision.self_loops;
  waiting_ += steps * decision.waiting;
  count_idle(steps, decision.pool_taken);
  begin_step(target);
}

// Gives the tokens of one shared place to the lanes of one class: to all, or to the drawn winners.
// Returns the number taken from the scheduler pool.
template <class Ready>
template <class Bits>
std::int32_t LaneEngine<Ready>::grant(std::uint32_t c) {
  Class& lane_class = classes_[c];
  Ready& ready = ready_[c];
  std::int32_t tokens = signals_[lane_class.signal];
  std::uint32_t size = ready.template count<Bits>(), granted = 0;
  if (std::int64_t{size} * lane_class.weight <= tokens) {
    granted = size;
    ready.for_each([&](std::uint32_t lane) { depart(lane); });
    ready.clear();
  } else {
    const std::array<std::uint32_t, 4>& words = draws_[c].words(step_);
    for (; tokens >= lane_class.weight; tokens -= lane_class.weight, --size, ++granted) {
      const std::uint64_t word = granted < 4 ? words[granted] : later_word(c, granted);
      depart(ready.template take<Bits>(static_cast<std::uint32_t>((word * size) >> 32)));
    }
    ++lane_class.contested_steps;
    lane_class.contested_wins += granted;
  }
  return static_cast<std::int32_t>(granted) * lane_class.effect->pool_taken;
}

// Draw d of a class in the current step, beyond the first block.
template <class Ready>
std::uint32_t LaneEngine<Ready>::later_word(std::uint32_t c, std::uint32_t d) const {
  return draw_block(key_, draws_[c].place(), step_, d / 4)[d % 4];
}

template <class Ready>
void LaneEngine<Ready>::start_travel(std::uint32_t lane) {
  lanes_[lane].from = lanes_[lane].at;
  lanes_[lane].since = step_;
  lanes_[lane].before = lanes_[lane].counts;
}

// A parked lane fires in the current step.
template <class Ready>
void LaneEngine<Ready>::depart(std::uint32_t lane) {
  start_travel(lane);
  travel(lane, nodes_[lanes_[lane].at].segment, step_);
}

// Advances from the begin of a segment to where the lane waits or must be examined.
template <class Ready>
void LaneEngine<Ready>::travel(std::uint32_t lane, std::uint32_t segment, std::uint64_t step) {
  while (true) {
    const LaneSegment& path = segments_[segment];
    ++visits_[segment];
    for (std::uint32_t b = path.first_burst; b < path.end_burst; ++b) {
      const LaneBurst& burst = bursts_[b];
      wheel_.at(step + burst.offset).change += burst.change;
    }
    step += path.duration;
    const std::uint32_t number = next_node(lane, segment);
    const LaneNode& node = nodes_[number];
    if (Ready::kIsOneWord && node.kind == LaneKind::kParked) {
      lanes_[lane].at = number;
      lanes_[lane].until = step;
      wheel_.at(step).arrivals[node.lane_class] |= std::uint64_t{1} << lane;
      return;
    }
    const bool goes_on = node.kind == LaneKind::kChoice || node.kind == LaneKind::kFlight;
    if (!goes_on || step - step_ + node.longest >= wheel_.size()) {
      return wake_at(lane, number, step);
    }
    segment = segment_from(lane, node, step);
  }
}

template <class Ready>
std::uint32_t LaneEngine<Ready>::next_node(std::uint32_t lane, std::uint32_t segment) {
  const LaneSegment& path = segments_[segment];
  std::uint32_t level = 0;
  if (path.counter != LaneSegment::kNone) {
    Tokens& tokens = lanes_[lane].counts[path.counter];
    tokens -= path.taken;
    level = static_cast<std::uint32_t>(std::min<Tokens>(tokens, path.top_level));
  }
  const std::uint32_t node = path.next[level];
  return node != LaneSegment::kNone ? node : resolve(segment, level);
}

template <class Ready>
std::uint32_t LaneEngine<Ready>::resolve(std::uint32_t segment, std::uint32_t level) {
  const std::uint32_t node = machine_.next_node(segment, level);
  keep_up_with_machine();
  return node;
}

// The segment that a lane starts at a node; at a choice, the draw of that step decides.
template <class Ready>
std::uint32_t LaneEngine<Ready>::segment_from(std::uint32_t lane, const LaneNode& node,
                                              std::uint64_t step) const {
  if (node.kind != LaneKind::kChoice) return node.segment;
  const PlaceId place{places_[std::size_t{node.draw_place} * lane_count_ + lane]};
  const std::uint64_t word = first_words_(place, step);
  return node.segment + static_cast<std::uint32_t>((word * node.choices) >> 32);
}

template <class Ready>
void LaneEngine<Ready>::wake_at(std::uint32_t lane, std::uint32_t node, std::uint64_t step) {
  WheelSlot& slot = wheel_.at(step);
  lanes_[lane].at = node;
  lanes_[lane].until = step;
  lanes_[lane].next_woken = slot.woken;
  slot.woken = lane;
}

// The lane is at its node before the current step.
template <class Ready>
void LaneEngine<Ready>::wake(std::uint32_t lane) {
  const LaneNode& node = nodes_[lanes_[lane].at];
  if (node.kind == LaneKind::kIdle) return;
  if (node.kind == LaneKind::kMixed) return mixed_.push_back(lane);
  if (node.kind == LaneKind::kParked) return ready_[node.lane_class].insert(lane);
  start_travel(lane);
  travel(lane, segment_from(lane, node, step_), step_);
}

template <class Ready>
template <class Bits>
std::optional<Outcome> LaneEngine<Ready>::loop(std::uint64_t max_steps) {
  // Few enough that the signals stay in their range.
  for (int iteration = 0; iteration < 64; ++iteration) {
    if (goal_holds()) return Outcome::kGoal;
    const Decision decision = decide();
    if (!decision.is_simple || !mixed_.empty()) {
      const bool one_class =
          decision.is_simple && decision.self_loops == 0 && std::has_single_bit(decision.live);
      const auto outcome =
          one_class
              ? mixed_step(static_cast<std::uint32_t>(std::countr_zero(decision.live)), max_steps)
              : general_step(max_steps);
      if (outcome) return outcome;
      continue;
    }
    if (decision.live == 0 && decision.self_loops == 0 &&
        wheel_.next_after(step_) == TimeWheel::kNever) {
      return Outcome::kDead;
    }
    if (step_ >= max_steps) return Outcome::kLimit;
    if (decision.live == 0) {
      jump(decision, max_steps);
      continue;
    }
    if (decision.self_loops != 0) {
      firings_ += decision.self_loops;
      waiting_ += decision.waiting;
    }
    std::int32_t taken = decision.pool_taken;
    for (std::uint32_t c = 0; c < class_count_; ++c) {
      if (decision.live >> c & 1) taken += grant<Bits>(c);
    }
    count_idle_step(taken);
    begin_step(step_ + 1);
  }
  return std::nullopt;
}

template <class Ready>
std::optional<Outcome> LaneEngine<Ready>::loop_portable(std::uint64_t max_steps) {
  return loop<PortableBits>(max_steps);
}

#if defined(__x86_64__)
using BestBits = Bmi2Bits;
const bool kHasBmi2 = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
using BestBits = PortableBits;
constexpr bool kHasBmi2 = false;
#endif

template <class Ready>
std::optional<Outcome> LaneEngine<Ready>::loop_bmi2(std::uint64_t max_steps) {
  return loop<BestBits>(max_steps);
}

template <class Ready>
std::optional<Outcome> LaneEngine<Ready>::run(std::uint64_t max_steps) {
  while (true) {
    const auto outcome = kHasBmi2 ? loop_bmi2(max_steps) : loop_portable(max_steps);
    idle_ += recent_idle_;
    recent_idle_ = 0;
    told_.tell(step_);
    if (machine_.is_exhausted() || is_over_limits()) return std::nullopt;
    if (outcome) return outcome;
  }
}

}  // namespace pnsim

#include "simulator/engine/lane_engine_general.h"
#include "simulator/engine/lane_engine_mixed.h"
#include "simulator/engine/lane_engine_report.h"

namespace pnsim {

template class LaneEngine<OneWordSet>;
template class LaneEngine<ManyWordSet>;

}  // namespace pnsim
