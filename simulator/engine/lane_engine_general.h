// Part of lane_engine_run.cc: steps that do not fit the fast part. It lists all enabled transitions
// of resting lanes and of the shared part, and settles them like the reference engine. Travelling
// lanes do not interact, so they are not listed.
#pragma once

#include <algorithm>

#include "simulator/engine/lane_engine.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {

template <class Ready>
std::optional<Outcome> LaneEngine<Ready>::general_step(std::uint64_t max_steps) {
  if (!general_) general_.emplace(program_);
  list_candidates();
  listed_ += general_->candidates.size();
  if (general_->candidates.empty() && wheel_.next_after(step_) == TimeWheel::kNever)
    return Outcome::kDead;
  if (step_ >= max_steps) return Outcome::kLimit;
  if (general_->candidates.empty()) {
    jump(Decision{}, max_steps);
    return std::nullopt;
  }
  general_->plan.examine(general_->marking, general_->candidates);
  settle_all(general_->plan, general_->marking, key_, step_, general_->fired);
  if (log_) log_->add_step(general_->plan, general_->fired);
  apply_general(0);
  begin_step(step_ + 1);
  return std::nullopt;
}

template <class Ready>
void LaneEngine<Ready>::list_candidates() {
  general_->candidates.clear();
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (!holds(classes_[c].effect->conditions)) continue;
    ready_[c].for_each([&](std::uint32_t lane) {
      add_candidate(transition(lane, classes_[c].position), machine_.marking(lanes_[lane].at));
    });
  }
  for (const std::uint32_t lane : mixed_) list_of_mixed(lane);
  for (const auto& shared : program_.shared_transitions()) {
    if (holds(shared.effect.conditions)) add_candidate(shared.id, {});
  }
  std::sort(general_->candidates.begin(), general_->candidates.end());
}

template <class Ready>
void LaneEngine<Ready>::list_of_mixed(std::uint32_t lane) {
  const Net& net = program_.lane_net();
  const Marking& local = machine_.marking(lanes_[lane].at);
  for (std::uint32_t k = 0; k < net.transition_count(); ++k) {
    const auto inputs = net.inputs(TransitionId{k});
    const auto inhibitors = net.inhibitors(TransitionId{k});
    const bool enabled =
        std::all_of(inputs.begin(), inputs.end(),
                    [&](const Arc& arc) { return local[arc.place.value] >= arc.weight; }) &&
        std::all_of(inhibitors.begin(), inhibitors.end(),
                    [&](PlaceId p) { return local[p.value] == 0; });
    if (enabled && holds(program_.lane_effects()[k].conditions)) {
      add_candidate(transition(lane, k), local);
    }
  }
}

// Also updates the marking at the input places of the candidate. For counters the level is enough,
// because no transition needs more than its level.
template <class Ready>
void LaneEngine<Ready>::add_candidate(TransitionId t, const Marking& local) {
  general_->candidates.push_back(t);
  for (const Arc& arc : program_.net().inputs(t)) {
    const auto signal = program_.signal_of(arc.place);
    general_->marking[arc.place.value] =
        signal ? signals_[*signal] : local[general_->position[arc.place.value]];
  }
}

template <class Ready>
void LaneEngine<Ready>::apply_effect(const SignalEffect& effect) {
  Signals& change = wheel_.at(step_ + 1).change;
  for (const SignalArc& arc : effect.takes) change.add(arc.signal, -arc.weight);
  for (const SignalArc& arc : effect.gives) change.add(arc.signal, arc.weight);
  ++firings_;
  waiting_ += effect.is_waiting ? 1 : 0;
}

// Applies the listed transitions that fire. `pool_taken`: what others take from the scheduler pool.
template <class Ready>
void LaneEngine<Ready>::apply_general(std::int32_t pool_taken) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;  // lane, position of the transition
  for (const TransitionId t : general_->fired) {
    const auto [lane, position] = general_->owner[t.value];
    if (lane == WheelSlot::kNoLane) {
      const SignalEffect& effect = program_.shared_transitions()[position].effect;
      pool_taken += effect.pool_taken;
      apply_effect(effect);
    } else {
      pool_taken += program_.lane_effects()[position].pool_taken;
      moves.push_back({lane, position});
    }
  }
  count_idle(1, pool_taken);
  std::sort(moves.begin(), moves.end());
  std::vector<TransitionId> fired;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::uint32_t lane = moves[i].first;
    fired.push_back(TransitionId{moves[i].second});
    if (i + 1 < moves.size() && moves[i + 1].first == lane) continue;
    const LaneNode& node = nodes_[lanes_[lane].at];
    if (node.kind == LaneKind::kParked) {
      ready_[node.lane_class].erase(lane);
      depart(lane);
    } else {
      move_mixed(lane, fired);
    }
    fired.clear();
  }
  std::erase_if(mixed_, [&](std::uint32_t lane) { return lanes_[lane].until > step_; });
}

// One step of a lane at a mixed node; `fired` holds positions.
template <class Ready>
void LaneEngine<Ready>::move_mixed(std::uint32_t lane, std::span<const TransitionId> fired) {
  const Marking before = marking_at_node(lane);
  Marking local = before;
  apply_step(program_.lane_net(), fired, local);
  for (const TransitionId t : fired) apply_effect(program_.lane_effects()[t.value]);
  Signals& change = wheel_.at(step_ + 1).change;
  for (std::uint32_t p = 0; p < local.size(); ++p) {
    const int now = local[p] != 0 ? 1 : 0, then = before[p] != 0 ? 1 : 0;
    for (const std::uint32_t signal : program_.watchers(p)) change.add(signal, now - then);
  }
  for (std::size_t c = 0; c < machine_.counters().size(); ++c) {
    lanes_[lane].counts[c] = local[machine_.counters()[c]];
  }
  const std::uint32_t node = machine_.node_of(local);
  keep_up_with_machine();
  wake_at(lane, node, step_ + 1);
}

}  // namespace pnsim
