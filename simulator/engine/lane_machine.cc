#include "simulator/engine/lane_machine.h"

#include <algorithm>

namespace pnsim {
namespace {

constexpr std::uint32_t kNone = LaneSegment::kNone;
constexpr std::uint32_t kLongestWalk = 2048;  // steps; longer ones are cut
constexpr std::size_t kMaxLaneNodes = 4096;
constexpr Tokens kMaxLocalTokens = Tokens{1} << 50;

}  // namespace

// The possible behaviour of a lane at a marking.
struct LaneMachine::Behaviour {
  LaneKind kind = LaneKind::kMixed;
  std::vector<std::vector<TransitionId>> outcomes;  // the firing transitions for each draw
  PlaceId draw_place{};
  std::vector<Contest> contests;
};

LaneMachine::LaneMachine(const LaneProgram& program)
    : program_(program),
      plan_(program.lane_net()),
      counter_at_(program.lane_net().place_count(), kNone) {
  for (std::uint32_t p = 0; p < program.lane_net().place_count(); ++p) {
    if (program.levels(p) == 0 || counters_.size() == kMaxCounters) continue;
    counter_at_[p] = static_cast<std::uint32_t>(counters_.size());
    counters_.push_back(p);
    top_level_.push_back(static_cast<std::uint32_t>(program.levels(p)));
  }
}

std::uint32_t LaneMachine::node_of(const Marking& local) {
  Marking key = local;
  for (std::uint32_t c = 0; c < counters_.size(); ++c) {
    key[counters_[c]] = level(c, local[counters_[c]]);
  }
  return intern(std::move(key));
}

std::uint32_t LaneMachine::next_node(std::uint32_t segment, std::uint32_t level) {
  const std::uint32_t known = segments_[segment].next[level];
  if (known != kNone) return known;
  Marking key = records_[segment].end;
  const std::uint32_t counter = segments_[segment].counter;
  if (counter != kNone) key[counters_[counter]] = level;
  const std::uint32_t node = intern(std::move(key));
  segments_[segment].next[level] = node;
  return node;
}

std::uint32_t LaneMachine::intern(Marking key) {
  const auto [it, added] =
      node_at_.emplace(std::move(key), static_cast<std::uint32_t>(nodes_.size()));
  if (!added) return it->second;
  const std::uint32_t node = it->second;
  const Marking& marking = it->first;
  node_markings_.push_back(&marking);
  nodes_.emplace_back();
  exhausted_ = exhausted_ || nodes_.size() > kMaxLaneNodes ||
               *std::max_element(marking.begin(), marking.end()) > kMaxLocalTokens;
  if (exhausted_) return node;
  const Behaviour found = behaviour_at(marking);
  LaneNode made{.kind = found.kind, .segment = static_cast<std::uint32_t>(segments_.size())};
  if (found.kind == LaneKind::kParked) made.lane_class = class_of(found.outcomes[0][0].value);
  if (made.lane_class == kNone) made = {};
  made.choices = static_cast<std::uint32_t>(found.outcomes.size());
  made.draw_place = found.draw_place.value;
  if (made.kind != LaneKind::kMixed) {
    for (const auto& first : found.outcomes) {
      const std::uint32_t segment = add_segment(node, first, found.contests);
      made.longest = std::max(made.longest, segments_[segment].duration);
    }
  }
  nodes_[node] = made;
  return node;
}

// The class number of a waiting transition; kNone when there are too many classes.
std::uint32_t LaneMachine::class_of(std::uint32_t transition) {
  const auto it = std::find(lane_classes_.begin(), lane_classes_.end(), transition);
  const auto number = static_cast<std::uint32_t>(it - lane_classes_.begin());
  if (it != lane_classes_.end()) return number;
  if (lane_classes_.size() == kMaxLaneClasses) return kNone;
  lane_classes_.push_back(transition);
  return number;
}

LaneMachine::Behaviour LaneMachine::behaviour_at(const Marking& marking) {
  Behaviour out;
  plan_.examine(marking);
  const auto enabled = plan_.enabled();
  const auto wants = [&](TransitionId t) { return program_.is_wanting(t.value); };
  if (enabled.empty()) {
    out.kind = LaneKind::kIdle;
  } else if (std::any_of(enabled.begin(), enabled.end(), wants)) {
    if (enabled.size() == 1) out.kind = LaneKind::kParked;
  } else if (plan_.conflicts().empty()) {
    out.kind = LaneKind::kFlight;
  } else {
    examine_conflict(marking, out);
    return out;
  }
  if (!enabled.empty()) out.outcomes.emplace_back(enabled.begin(), enabled.end());
  if (takes_of_two_counters(enabled)) out.kind = LaneKind::kMixed;
  return out;
}

// A single conflict that one draw decides is a choice.
void LaneMachine::examine_conflict(const Marking& marking, Behaviour& behaviour) {
  if (plan_.conflicts().size() != 1) return;
  const Conflict& conflict = plan_.conflicts()[0];
  for (std::uint32_t j = 0; j < conflict.candidates.size(); ++j) {
    std::vector<TransitionId> fired(plan_.free().begin(), plan_.free().end());
    std::size_t draws = 0;
    const auto choose = [&](std::uint32_t) { return draws++ == 0 ? j : 0; };
    plan_.settle(conflict, marking, choose, fired);
    if (draws != 1 || takes_of_two_counters(fired)) return;
    behaviour.outcomes.push_back(std::move(fired));
  }
  for (const TransitionId t : conflict.candidates) {
    for (const Arc& arc : program_.lane_net().inputs(t)) {
      if (!plan_.is_contested(arc.place)) continue;
      auto it = std::find_if(behaviour.contests.begin(), behaviour.contests.end(),
                             [&](const Contest& c) { return c.place == arc.place; });
      if (it == behaviour.contests.end()) it = behaviour.contests.insert(it, {arc.place, {}});
      it->takers.push_back(t);
    }
  }
  behaviour.draw_place = conflict.lowest_place;
  behaviour.kind = LaneKind::kChoice;
}

bool LaneMachine::takes_of_two_counters(std::span<const TransitionId> fired) const {
  std::size_t arcs = 0;
  for (const TransitionId t : fired) {
    for (const Arc& arc : program_.lane_net().inputs(t)) {
      if (counter_at_[arc.place.value] != kNone) ++arcs;
    }
  }
  return arcs > 1;
}

// Fires within the lane. Tokens taken from a counter are recorded in the segment instead.
void LaneMachine::make_step(std::span<const TransitionId> fired, Marking& marking, Signals& change,
                            SegmentRecord& record, LaneSegment& segment) const {
  const Net& lane = program_.lane_net();
  const Marking before = marking;
  for (const TransitionId t : fired) {
    for (const Arc& arc : lane.inputs(t)) {
      const std::uint32_t counter = counter_at_[arc.place.value];
      if (counter == kNone) {
        marking[arc.place.value] -= arc.weight;
      } else {
        segment.counter = counter;
        segment.top_level = top_level_[counter];
        segment.taken = static_cast<std::uint32_t>(arc.weight);
      }
    }
    for (const Arc& arc : lane.outputs(t)) marking[arc.place.value] += arc.weight;
    const SignalEffect& effect = program_.lane_effects()[t.value];
    for (const SignalArc& arc : effect.takes) change.add(arc.signal, -arc.weight);
    for (const SignalArc& arc : effect.gives) change.add(arc.signal, arc.weight);
    ++record.firings;
    record.waiting += effect.is_waiting ? 1 : 0;
  }
  for (std::uint32_t p = 0; p < marking.size(); ++p) {
    const int now = marking[p] != 0 ? 1 : 0, then = before[p] != 0 ? 1 : 0;
    for (const std::uint32_t signal : program_.watchers(p)) change.add(signal, now - then);
  }
}

std::uint32_t LaneMachine::add_segment(std::uint32_t node, const std::vector<TransitionId>& first,
                                       const std::vector<Contest>& contests) {
  LaneSegment segment;
  segment.first_burst = static_cast<std::uint32_t>(bursts_.size());
  SegmentRecord record{.node = node, .first = first, .contests = contests, .won = {}, .end = {}};
  for (const Contest& contest : contests) {
    for (const TransitionId t : first) {
      const auto& takers = contest.takers;
      const bool took = std::find(takers.begin(), takers.end(), t) != takers.end();
      if (took) record.won.push_back({contest.place, t});
    }
  }
  Marking marking = *node_markings_[node];
  std::vector<TransitionId> fired = first;
  while (!fired.empty()) {
    LaneBurst burst;
    make_step(fired, marking, burst.change, record, segment);
    burst.offset = ++segment.duration;
    if (!burst.change.is_zero()) bursts_.push_back(burst);
    fired.clear();
    if (segment.counter != kNone || segment.duration == kLongestWalk) break;
    const Behaviour next = behaviour_at(marking);
    if (next.kind == LaneKind::kFlight) fired = next.outcomes[0];
  }
  segment.end_burst = static_cast<std::uint32_t>(bursts_.size());
  longest_ = std::max(longest_, segment.duration);
  record.end = std::move(marking);
  segments_.push_back(segment);
  records_.push_back(std::move(record));
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

LaneMachine::Walk LaneMachine::walk(std::uint32_t segment, std::uint32_t steps) {
  const SegmentRecord& origin = records_[segment];
  SegmentRecord record;
  LaneSegment unused_segment;
  Signals unused_change;
  Walk out{*node_markings_[origin.node]};
  std::vector<TransitionId> fired = origin.first;
  for (std::uint32_t step = 0; step < steps; ++step) {
    make_step(fired, out.marking, unused_change, record, unused_segment);
    plan_.examine(out.marking);
    fired.assign(plan_.enabled().begin(), plan_.enabled().end());
  }
  out.firings = record.firings;
  out.waiting = record.waiting;
  return out;
}

}  // namespace pnsim
