#include "simulator/engine/lane_program_maker.h"

#include <algorithm>
#include <limits>

#include "simulator/net/net_builder.h"

namespace pnsim {
namespace {

constexpr Tokens kMaxWeight = 1 << 20;
// Upper limit of the tokens that one step may add to all shared places together.
constexpr Tokens kMaxGain = 1 << 22;
constexpr Tokens kMaxLevels = 3;
constexpr std::size_t kLargeNet = 1000;  // places
constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::max();

}  // namespace

bool LaneProgramMaker::refuse(const std::string& why) {
  why_ = why;
  return false;
}

std::optional<LaneProgram> LaneProgramMaker::make() {
  if (!find_positions() || !check_numbers() || !add_place_signals()) return std::nullopt;
  is_waiting_.resize(net_.transition_count());
  for (const TransitionId t : net_.observables().waiting) is_waiting_[t.value] = true;
  if (!add_observables() || !add_shared_transitions() || !add_goal()) return std::nullopt;
  if (program_.signal_count_ > kMaxSignals) {
    refuse("more than " + std::to_string(kMaxSignals) + " shared or watched places");
    return std::nullopt;
  }
  add_lane_effects();
  make_lane_net();
  find_counters();
  compare_names();
  set_initial_signals();
  return std::move(program_);
}

bool LaneProgramMaker::find_positions() {
  // When a large net cannot fit, refining its colours to the end would be wasted work.
  const std::size_t places = net_.place_count();
  const auto colors = node_colors(net_, places < kLargeNet ? places : kMaxSignals);
  if (!colors) return refuse("more than 8 places have no replica");
  auto split = find_lanes(net_, *colors);
  if (!split) return refuse("found no replicated parts");
  program_.net_ = &net_;
  program_.split_ = std::move(*split);
  place_position_.assign(net_.place_count(), kNone);
  transition_position_.assign(net_.transition_count(), kNone);
  const LaneSplit& lanes = program_.split_;
  for (const auto& lane : lanes.places) {
    for (std::uint32_t k = 0; k < lane.size(); ++k) place_position_[lane[k].value] = k;
  }
  for (std::size_t k = 0; k < lanes.places[0].size(); ++k) {
    for (const auto& lane : lanes.places) program_.places_.push_back(lane[k].value);
  }
  for (const auto& lane : program_.split_.transitions) {
    for (std::uint32_t k = 0; k < lane.size(); ++k) transition_position_[lane[k].value] = k;
  }
  return true;
}

bool LaneProgramMaker::check_numbers() {
  Tokens gain = 0;
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    for (const Arc& arc : net_.inputs(TransitionId{t})) {
      if (arc.weight > kMaxWeight) return refuse("an arc weight exceeds 2^20");
    }
    for (const Arc& arc : net_.outputs(TransitionId{t})) {
      if (arc.weight > kMaxWeight) return refuse("an arc weight exceeds 2^20");
      if (is_shared(arc.place)) gain += arc.weight;
    }
  }
  if (gain > kMaxGain) return refuse("one step can add more than 2^22 tokens to shared places");
  for (const PlaceId p : program_.split_.shared_places) {
    if (net_.initial_marking()[p.value] >= kMaxSignal) {
      return refuse("a shared place holds more than 2^28 tokens");
    }
  }
  return true;
}

bool LaneProgramMaker::add_place_signals() {
  program_.signal_count_ = program_.split_.shared_places.size();
  program_.watchers_.resize(program_.split_.places[0].size());
  watch_signal_.assign(program_.split_.places[0].size(), kNone);
  return program_.signal_count_ <= kMaxSignals || refuse("more than 8 shared places");
}

std::uint32_t LaneProgramMaker::watch(std::uint32_t position) {
  if (watch_signal_[position] == kNone) {
    watch_signal_[position] = static_cast<std::uint32_t>(program_.signal_count_++);
    program_.watchers_[position].push_back(watch_signal_[position]);
  }
  return watch_signal_[position];
}

std::optional<std::vector<std::uint32_t>> LaneProgramMaker::whole_positions(
    std::vector<PlaceId> places) const {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::uint32_t> count(program_.split_.places[0].size());
  for (const PlaceId p : places) {
    if (!is_shared(p)) ++count[place_position_[p.value]];
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t k = 0; k < count.size(); ++k) {
    if (count[k] == program_.lanes()) out.push_back(k);
    if (count[k] != 0 && count[k] != program_.lanes()) return std::nullopt;
  }
  return out;
}

// Only the shared part. The pool must be known before this call.
SignalEffect LaneProgramMaker::effect_of(TransitionId t) const {
  SignalEffect effect;
  effect.is_waiting = is_waiting_[t.value] != 0;
  for (const Arc& arc : net_.inputs(t)) {
    const auto signal = program_.signal_of(arc.place);
    if (!signal) continue;
    const auto weight = static_cast<std::int32_t>(arc.weight);
    effect.takes.push_back({*signal, weight});
    effect.conditions.push_back({*signal, weight, kAny});
    if (!effect.is_waiting && signal == program_.pool_signal_) effect.pool_taken = weight;
  }
  for (const Arc& arc : net_.outputs(t)) {
    const auto signal = program_.signal_of(arc.place);
    if (signal) effect.gives.push_back({*signal, static_cast<std::int32_t>(arc.weight)});
  }
  for (const PlaceId p : net_.inhibitors(t)) {
    if (const auto signal = program_.signal_of(p)) effect.conditions.push_back({*signal, 0, 0});
  }
  return effect;
}

bool LaneProgramMaker::add_shared_transitions() {
  for (const TransitionId t : program_.split_.shared_transitions) {
    LaneProgram::SharedTransition shared{t, effect_of(t), false};
    const auto inputs = net_.inputs(t), outputs = net_.outputs(t);
    const auto in_lane = [&](const Arc& arc) { return !is_shared(arc.place); };
    if (std::any_of(inputs.begin(), inputs.end(), in_lane) ||
        std::any_of(outputs.begin(), outputs.end(), in_lane)) {
      return refuse("a shared transition moves tokens of a lane");
    }
    const auto inhibitors = net_.inhibitors(t);
    const auto positions = whole_positions({inhibitors.begin(), inhibitors.end()});
    if (!positions) return refuse("a shared transition is inhibited by some lanes only");
    for (const std::uint32_t k : *positions) shared.effect.conditions.push_back({watch(k), 0, 0});
    shared.changes_nothing =
        std::equal(inputs.begin(), inputs.end(), outputs.begin(), outputs.end());
    program_.shared_transitions_.push_back(std::move(shared));
  }
  return true;
}

// The goal signal counts the marked goal places inside of lanes. Shared goal places are read
// directly.
bool LaneProgramMaker::add_goal() {
  if (!net_.has_goal()) return true;
  if (!net_.goal_ranges().empty()) return refuse("the goal is more than empty places");
  const auto positions = whole_positions(net_.goal());
  if (!positions) return refuse("the goal names places in some lanes only");
  program_.goal_signal_ = static_cast<std::uint32_t>(program_.signal_count_++);
  for (const std::uint32_t k : *positions) program_.watchers_[k].push_back(*program_.goal_signal_);
  return true;
}

bool LaneProgramMaker::add_observables() {
  const Observables& observables = net_.observables();
  if (observables.scheduler_pool) {
    program_.pool_signal_ = program_.signal_of(*observables.scheduler_pool);
    if (!program_.pool_signal_) return refuse("the scheduler pool is inside of a lane");
  }
  for (const auto& lane : program_.split_.transitions) {
    for (std::size_t k = 0; k < lane.size(); ++k) {
      if (is_waiting_[lane[k].value] != is_waiting_[program_.split_.transitions[0][k].value]) {
        return refuse("firings are observed in some lanes only");
      }
    }
  }
  return true;
}

void LaneProgramMaker::add_lane_effects() {
  for (const TransitionId t : program_.split_.transitions[0]) {
    program_.lane_effects_.push_back(effect_of(t));
  }
}

void LaneProgramMaker::make_lane_net() {
  NetBuilder builder(net_.name());
  const LaneSplit& split = program_.split_;
  for (const PlaceId p : split.places[0]) {
    builder.add_place(net_.name_of(p), net_.initial_marking()[p.value]);
  }
  const auto local = [&](PlaceId p) { return PlaceId{place_position_[p.value]}; };
  for (const TransitionId t : split.transitions[0]) {
    const TransitionId id = builder.add_transition(net_.name_of(t));
    for (const Arc& arc : net_.inputs(t)) {
      if (!is_shared(arc.place)) builder.add_input(id, local(arc.place), arc.weight);
    }
    for (const Arc& arc : net_.outputs(t)) {
      if (!is_shared(arc.place)) builder.add_output(id, local(arc.place), arc.weight);
    }
    for (const PlaceId p : net_.inhibitors(t)) {
      if (!is_shared(p)) builder.add_inhibitor(id, local(p));
    }
  }
  program_.lane_net_ = builder.build();
}

// Finds places that no transition fills. A reader of such a place needs at most the sum of all arc
// weights of its takers, or whether the place is empty.
void LaneProgramMaker::find_counters() {
  const Net& lane = *program_.lane_net_;
  std::vector<Tokens> wanted(lane.place_count());
  std::vector<char> filled(lane.place_count());
  for (std::uint32_t t = 0; t < lane.transition_count(); ++t) {
    for (const Arc& arc : lane.inputs(TransitionId{t})) wanted[arc.place.value] += arc.weight;
    for (const Arc& arc : lane.outputs(TransitionId{t})) filled[arc.place.value] = true;
  }
  program_.levels_.assign(lane.place_count(), 0);
  for (std::uint32_t p = 0; p < lane.place_count(); ++p) {
    if (filled[p] || !program_.watchers_[p].empty() || wanted[p] > kMaxLevels) continue;
    program_.levels_[p] = std::max<Tokens>(wanted[p], 1);
  }
}

void LaneProgramMaker::compare_names() {
  const LaneSplit& split = program_.split_;
  const auto compare = [&](const auto& lists) {
    for (const auto& lane : lists) {
      for (std::size_t k = 0; k < lane.size(); ++k) {
        if (net_.group_of(lane[k]) != net_.group_of(lists[0][k])) {
          program_.names_match_ = false;
        }
      }
    }
  };
  compare(split.places);
  compare(split.transitions);
}

void LaneProgramMaker::set_initial_signals() {
  const LaneSplit& split = program_.split_;
  const Marking& marking = net_.initial_marking();
  for (std::size_t i = 0; i < split.shared_places.size(); ++i) {
    const Tokens tokens = marking[split.shared_places[i].value];
    program_.initial_signals_.add(i, static_cast<std::int32_t>(tokens));
  }
  for (const auto& lane : split.places) {
    for (std::uint32_t k = 0; k < lane.size(); ++k) {
      if (marking[lane[k].value] == 0) continue;
      for (const std::uint32_t signal : program_.watchers_[k])
        program_.initial_signals_.add(signal, 1);
    }
  }
}

std::optional<LaneProgram> make_lane_program(const Net& net, std::string* why) {
  LaneProgramMaker maker(net);
  std::optional<LaneProgram> program = maker.make();
  if (why) *why = program ? "" : maker.why();
  return program;
}

}  // namespace pnsim
