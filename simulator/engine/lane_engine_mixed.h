// Part of lane_engine_run.cc: steps with lanes at mixed nodes beside parked lanes of one class,
// such as the race of t1 and t16 in wpnm_literal. Only the transitions of the mixed lanes are
// listed, so that the cost of the step does not grow with the number of parked lanes.
#pragma once

#include <algorithm>

#include "simulator/engine/lane_engine.h"

namespace pnsim {

inline constexpr std::size_t kManyListed = 256;

// The parked lanes of one class, as StepPlan::settle_with_crowd() needs them.
template <class Ready>
struct LaneEngine<Ready>::Crowd {
  LaneEngine& engine;
  std::uint32_t lane_class;

  std::uint32_t size() const { return engine.ready_[lane_class].template count<PortableBits>(); }
  // The transitions of one position are in the order of their lanes.
  std::uint32_t before(TransitionId t) const {
    const auto& lanes = engine.program_.split().transitions;
    const std::uint32_t position = engine.classes_[lane_class].position;
    const auto later = std::partition_point(lanes.begin(), lanes.end(),
                                            [&](const auto& lane) { return lane[position] < t; });
    return engine.ready_[lane_class].count_below(static_cast<std::uint32_t>(later - lanes.begin()));
  }
  void take(std::uint32_t k) {
    engine.depart(engine.ready_[lane_class].template take<PortableBits>(k));
    ++taken;
  }
  std::uint32_t taken = 0;
};

// All transitions of the step that are enabled belong to mixed lanes or to the class.
template <class Ready>
std::optional<Outcome> LaneEngine<Ready>::mixed_step(std::uint32_t c, std::uint64_t max_steps) {
  if (step_ >= max_steps) return Outcome::kLimit;
  if (!general_) general_.emplace(program_);
  general_->candidates.clear();
  for (const std::uint32_t lane : mixed_) list_of_mixed(lane);
  std::sort(general_->candidates.begin(), general_->candidates.end());
  // Among very many, every draw would examine all of them.
  if (general_->candidates.size() > kManyListed) return general_step(max_steps);
  listed_ += general_->candidates.size();
  const Class& parked = classes_[c];
  const PlaceId place = program_.split().shared_places[parked.signal];
  const std::uint64_t size = Crowd{*this, c}.size();
  general_->marking[place.value] = signals_[parked.signal];
  general_->plan.examine(general_->marking, general_->candidates,
                         {place, size * static_cast<std::uint64_t>(parked.weight)});
  const std::int32_t pool_taken = settle_mixed(c, place);
  if (log_) log_->add_step(general_->plan, general_->fired);
  apply_general(pool_taken);
  begin_step(step_ + 1);
  return std::nullopt;
}

// Sets the winners among the listed transitions, and lets the winners among the parked lanes
// depart. Returns the number that the latter take from the scheduler pool.
template <class Ready>
std::int32_t LaneEngine<Ready>::settle_mixed(std::uint32_t c, PlaceId place) {
  StepPlan& plan = general_->plan;
  std::vector<TransitionId>& fired = general_->fired;
  fired.assign(plan.free().begin(), plan.free().end());
  const Conflict* shared = nullptr;  // the conflict in which the parked lanes take part
  for (const Conflict& conflict : plan.conflicts()) {
    if (plan.is_about(conflict, place)) {
      shared = &conflict;
      continue;
    }
    Draws draws(key_, conflict.lowest_place, step_);
    plan.settle(
        conflict, general_->marking, [&](std::uint32_t size) { return draws.next_below(size); },
        fired);
  }
  if (!shared) return grant<PortableBits>(c);
  Crowd crowd{*this, c};
  Draws draws(key_, shared->lowest_place, step_);
  plan.settle_with_crowd(
      *shared, general_->marking, {place, classes_[c].weight}, crowd,
      [&](std::uint32_t size) { return draws.next_below(size); }, fired);
  if (log_) {
    const TransitionId taker = transition(0, classes_[c].position);
    log_->add_takers(place, {&taker, 1});
    log_->add_wins(place, taker, crowd.taken);
  }
  return static_cast<std::int32_t>(crowd.taken) * classes_[c].effect->pool_taken;
}

}  // namespace pnsim
