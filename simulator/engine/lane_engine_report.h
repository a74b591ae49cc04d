// Part of lane_engine_run.cc: the results of a run. Travelling lanes were computed ahead of time;
// the report rolls them back to the current step.
#pragma once

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/engine/lane_engine.h"

namespace pnsim {

template <class Ready>
Marking LaneEngine<Ready>::marking_at_node(std::uint32_t lane) const {
  Marking out = machine_.marking(lanes_[lane].at);
  for (std::size_t c = 0; c < machine_.counters().size(); ++c) {
    out[machine_.counters()[c]] = lanes_[lane].counts[c];
  }
  return out;
}

// The segments from a lane's start to its destination.
template <class Ready>
auto LaneEngine<Ready>::path_of(std::uint32_t lane) const -> std::vector<PathSegment> {
  std::vector<PathSegment> out;
  Counts counts = lanes_[lane].before;
  std::uint32_t node = lanes_[lane].from;
  for (std::uint64_t step = lanes_[lane].since; step < lanes_[lane].until;) {
    const std::uint32_t segment = segment_from(lane, nodes_[node], step);
    const LaneSegment& path = segments_[segment];
    out.push_back({step, step + path.duration, segment, counts});
    step += path.duration;
    std::uint32_t level = 0;
    if (path.counter != LaneSegment::kNone) {
      counts[path.counter] -= path.taken;
      level = machine_.level(path.counter, counts[path.counter]);
    }
    node = path.next[level];
  }
  return out;
}

template <class Ready>
Marking LaneEngine<Ready>::lane_marking(std::uint32_t lane) const {
  if (lanes_[lane].until <= step_) return marking_at_node(lane);
  for (const PathSegment& part : path_of(lane)) {
    if (part.end <= step_) continue;
    Marking out =
        machine_.walk(part.segment, static_cast<std::uint32_t>(step_ - part.begin)).marking;
    for (std::size_t c = 0; c < machine_.counters().size(); ++c)
      out[machine_.counters()[c]] = part.counts[c];
    return out;
  }
  return marking_at_node(lane);
}

template <class Ready>
Marking LaneEngine<Ready>::marking() const {
  Marking out(program_.net().place_count());
  const LaneSplit& split = program_.split();
  for (std::size_t i = 0; i < split.shared_places.size(); ++i) {
    out[split.shared_places[i].value] = signals_[i];
  }
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    const Marking local = lane_marking(lane);
    for (std::size_t p = 0; p < local.size(); ++p) out[split.places[lane][p].value] = local[p];
  }
  return out;
}

// Visits of segments that have begun.
template <class Ready>
std::vector<std::uint64_t> LaneEngine<Ready>::begun_visits() const {
  std::vector<std::uint64_t> out = visits_;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].until <= step_) continue;
    for (const PathSegment& part : path_of(lane)) {
      if (part.begin >= step_) --out[part.segment];
    }
  }
  return out;
}

// Subtracts the part of a started segment that lies in the future from the counts.
template <class Ready>
void LaneEngine<Ready>::take_back_rest(std::uint32_t lane, RunResult& result) const {
  if (lanes_[lane].until <= step_) return;
  for (const PathSegment& part : path_of(lane)) {
    if (part.begin >= step_ || part.end <= step_) continue;
    const auto& record = machine_.record(part.segment);
    const auto done = machine_.walk(part.segment, static_cast<std::uint32_t>(step_ - part.begin));
    result.firings -= record.firings - done.firings;
    if (result.waiting_steps) *result.waiting_steps -= record.waiting - done.waiting;
  }
}

template <class Ready>
RunResult LaneEngine<Ready>::result(Outcome outcome) const {
  const Observables& observables = program_.net().observables();
  RunResult out{.id = id_,
                .outcome = outcome,
                .steps = step_,
                .firings = firings_,
                .waiting_steps = {},
                .idle_scheduler_steps = {},
                .final_marking = marking()};
  std::uint64_t waiting = waiting_;
  const std::vector<std::uint64_t> visits = begun_visits();
  for (std::uint32_t segment = 0; segment < visits.size(); ++segment) {
    out.firings += visits[segment] * machine_.record(segment).firings;
    waiting += visits[segment] * machine_.record(segment).waiting;
  }
  if (!observables.waiting.empty()) out.waiting_steps = waiting;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) take_back_rest(lane, out);
  if (observables.scheduler_pool) {
    if (idle_ > std::uint64_t{1} << 63) fail_limit("idle_scheduler_steps would exceed 2^63");
    out.idle_scheduler_steps = static_cast<std::uint64_t>(idle_);
  }
  return out;
}

template <class Ready>
void LaneEngine<Ready>::add_conflicts_to(ConflictLog& log) const {
  if (log_) log.add(*log_);
  const LaneSplit& split = program_.split();
  const std::vector<std::uint64_t> visits = begun_visits();
  for (std::uint32_t segment = 0; segment < visits.size(); ++segment) {
    const auto& record = machine_.record(segment);
    for (const auto& contest : record.contests) {
      std::vector<TransitionId> takers;
      for (const TransitionId t : contest.takers) takers.push_back(split.transitions[0][t.value]);
      log.add_contests(split.places[0][contest.place.value], takers, visits[segment]);
    }
    for (const auto& [place, t] : record.won) {
      log.add_wins(split.places[0][place.value], split.transitions[0][t.value], visits[segment]);
    }
  }
  for (const Class& lane_class : classes_) {
    if (!lane_class.is_simple) continue;
    const PlaceId place = split.shared_places[lane_class.signal];
    const TransitionId taker = split.transitions[0][lane_class.position];
    log.add_contests(place, {&taker, 1}, lane_class.contested_steps);
    log.add_wins(place, taker, lane_class.contested_wins);
  }
}

}  // namespace pnsim
