#include "simulator/net/net_builder.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kInstances = std::numeric_limits<std::uint32_t>::max();

std::size_t product(const std::vector<std::uint32_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::size_t{1}, std::multiplies<>());
}

// Groups list positions by a number that each element has; all numbers are below `numbers`.
struct Positions {
  std::vector<std::uint32_t> start, at;
  std::span<const std::uint32_t> of(std::uint32_t number) const {
    return {at.data() + start[number], at.data() + start[number + 1]};
  }
};

template <class List, class NumberOf>
Positions positions_by(const List& list, std::size_t numbers, const NumberOf& number_of) {
  Positions out{std::vector<std::uint32_t>(numbers + 1), std::vector<std::uint32_t>(list.size())};
  for (const auto& element : list) ++out.start[number_of(element)];
  // Turns counts into end positions.
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  for (std::size_t i = list.size(); i-- > 0;) {
    out.at[--out.start[number_of(list[i])]] = static_cast<std::uint32_t>(i);
  }
  return out;
}

}  // namespace

NetBuilder::NetBuilder(std::string net_name, std::size_t most_nodes)
    : net_name_(std::move(net_name)), origin_("net " + net_name_), most_nodes_(most_nodes) {}

void NetBuilder::check_size(std::size_t nodes) const {
  if (place_names_.size() + transition_names_.size() + nodes > most_nodes_) {
    fail_input(origin_, "more than " + std::to_string(most_nodes_) + " places and transitions");
  }
}

void NetBuilder::check_name(const std::string& name, const char* what) const {
  if (name.empty()) fail_input(origin_, std::string("a ") + what + " has an empty name");
  if (place_index_.contains(name) || transition_index_.contains(name)) {
    fail_input(origin_, "the name \"" + name + "\" appears twice");
  }
}

void NetBuilder::check_tokens(const std::string& name, Tokens tokens) const {
  if (tokens < 0 || tokens > kMaxTokens) {
    fail_input(origin_, "place \"" + name + "\": found " + std::to_string(tokens) +
                            " tokens, expected 0 to 2^62");
  }
}

void NetBuilder::fail_weight(Tokens weight) const {
  fail_input(origin_, "found an arc weight of " + std::to_string(weight) + ", expected 1 to 2^62");
}

void NetBuilder::set_goal(std::vector<PlaceId> empty, std::vector<TokenRange> ranges) {
  std::sort(empty.begin(), empty.end());
  empty.erase(std::unique(empty.begin(), empty.end()), empty.end());
  std::sort(ranges.begin(), ranges.end(),
            [](const TokenRange& a, const TokenRange& b) { return a.place < b.place; });
  goal_ = {std::move(empty), std::move(ranges)};
}

PlaceId NetBuilder::add_place(const std::string& name, Tokens initial_tokens) {
  check_size(1);
  check_name(name, "place");
  check_tokens(name, initial_tokens);
  const PlaceId id{static_cast<std::uint32_t>(place_names_.size())};
  place_index_.emplace(name, id.value);
  place_names_.add(name);
  initial_.push_back(initial_tokens);
  return id;
}

TransitionId NetBuilder::add_transition(const std::string& name) {
  check_size(1);
  check_name(name, "transition");
  const TransitionId id{static_cast<std::uint32_t>(transition_names_.size())};
  transition_index_.emplace(name, id.value);
  transition_names_.add(name);
  return id;
}

PlaceId NetBuilder::add_places(const std::string& name, const std::vector<std::uint32_t>& numbers,
                               std::span<const Tokens> initial_tokens) {
  check_size(product(numbers));
  check_name(name, "place");
  for (const Tokens tokens : initial_tokens) check_tokens(name, tokens);
  const PlaceId first{static_cast<std::uint32_t>(place_names_.size())};
  place_index_.emplace(name, kInstances);
  place_names_.add_instances(name, numbers);
  initial_.insert(initial_.end(), initial_tokens.begin(), initial_tokens.end());
  return first;
}

TransitionId NetBuilder::add_transitions(const std::string& name,
                                         const std::vector<std::uint32_t>& numbers) {
  check_size(product(numbers));
  check_name(name, "transition");
  const TransitionId first{static_cast<std::uint32_t>(transition_names_.size())};
  transition_index_.emplace(name, kInstances);
  transition_names_.add_instances(name, numbers);
  return first;
}

std::optional<PlaceId> NetBuilder::find_place(const std::string& name) const {
  const auto it = place_index_.find(name);
  if (it == place_index_.end() || it->second == kInstances) return std::nullopt;
  return PlaceId{it->second};
}

void NetBuilder::reserve_arcs(std::size_t inputs, std::size_t outputs) {
  inputs_.reserve(inputs);
  outputs_.reserve(outputs);
}

// When a transition is dead, the places it would mark may be dead as well, so the search repeats. A
// ring of transitions that wait for each other is not detected and stays.
std::vector<char> NetBuilder::live_transitions() const {
  const std::size_t places = initial_.size();
  std::vector<std::uint32_t> producers(places);  // number of live transitions that add tokens
  for (const OwnArc& arc : outputs_) ++producers[arc.place.value];
  std::vector<std::uint32_t> never;  // places that are never marked
  for (std::uint32_t p = 0; p < places; ++p) {
    if (producers[p] == 0 && initial_[p] == 0) never.push_back(p);
  }
  const auto takers =
      positions_by(inputs_, places, [](const OwnArc& arc) { return arc.place.value; });
  const auto outputs = positions_by(outputs_, transition_names_.size(),
                                    [](const OwnArc& arc) { return arc.transition.value; });
  std::vector<char> is_live(transition_names_.size(), true);
  std::vector<char> is_waiting(is_live.size());  // observed transitions stay even when dead
  for (const TransitionId t : observables_.waiting) is_waiting[t.value] = true;
  while (!never.empty()) {
    const std::uint32_t place = never.back();
    never.pop_back();
    for (const std::uint32_t i : takers.of(place)) {
      const std::uint32_t t = inputs_[i].transition.value;
      if (is_waiting[t] || !std::exchange(is_live[t], false)) continue;
      for (const std::uint32_t g : outputs.of(t)) {
        const std::uint32_t to = outputs_[g].place.value;
        if (--producers[to] == 0 && initial_[to] == 0) never.push_back(to);
      }
    }
  }
  return is_live;
}

void NetBuilder::drop_dead() {
  const std::vector<char> is_live = live_transitions();
  const auto is_of_dead = [&](const OwnArc& arc) { return !is_live[arc.transition.value]; };
  for (auto* arcs : {&inputs_, &outputs_, &inhibitors_}) std::erase_if(*arcs, is_of_dead);
  std::vector<TransitionId> new_id(is_live.size());
  std::uint32_t live = 0;
  for (std::size_t t = 0; t < is_live.size(); ++t) {
    new_id[t].value = live;
    live += is_live[t] ? 1 : 0;
  }
  for (auto* arcs : {&inputs_, &outputs_, &inhibitors_}) {
    for (OwnArc& arc : *arcs) arc.transition = new_id[arc.transition.value];
  }
  for (TransitionId& t : observables_.waiting) t = new_id[t.value];
  transition_names_.keep(is_live);
}

// Appends the arcs to `all`, ordered by transition and place, with parallel arcs added up. Returns
// the start of each transition, and the end of the last one.
std::vector<std::uint32_t> NetBuilder::merge(std::vector<OwnArc>& arcs,
                                             std::vector<Arc>& all) const {
  // Arcs mostly arrive transition by transition; then only short rows need sorting.
  const auto by_transition = [](const OwnArc& a, const OwnArc& b) {
    return a.transition < b.transition;
  };
  if (!std::is_sorted(arcs.begin(), arcs.end(), by_transition)) std::sort(arcs.begin(), arcs.end());
  all.reserve(arcs.size());
  std::vector<std::uint32_t> start{0};
  start.reserve(transition_names_.size() + 1);
  auto arc = arcs.begin();
  for (std::uint32_t t = 0; t < transition_names_.size(); ++t) {
    auto end = arc;
    bool in_order = true;
    for (; end != arcs.end() && end->transition.value == t; ++end) {
      in_order = in_order && (end == arc || std::prev(end)->place < end->place);
    }
    if (!in_order) std::sort(arc, end);
    for (; arc != end; ++arc) {
      if (all.size() == start.back() || all.back().place != arc->place) {
        all.push_back({arc->place, arc->weight});
      } else if (arc->weight > kMaxTokens - all.back().weight) {
        fail_input(origin_, "transition \"" + transition_names_.name(t) +
                                "\": parallel arcs add up to over 2^62");
      } else {
        all.back().weight += arc->weight;
      }
    }
    start.push_back(static_cast<std::uint32_t>(all.size()));
  }
  return start;
}

Net NetBuilder::build() {
  if (transition_names_.size() == 0) fail_input(origin_, "the net has no transitions");
  if (leaves_out_dead_) drop_dead();
  Net net;
  net.input_start_ = merge(inputs_, net.inputs_);
  net.output_start_ = merge(outputs_, net.outputs_);
  std::vector<Arc> inhibitors;
  net.inhibitor_start_ = merge(inhibitors_, inhibitors);
  net.inhibitors_.reserve(inhibitors.size());
  for (const Arc& arc : inhibitors) net.inhibitors_.push_back(arc.place);
  net.name_ = std::move(net_name_);
  net.initial_ = std::move(initial_);
  net.goal_ = std::move(goal_);
  net.observables_ = std::move(observables_);
  net.place_names_ = std::move(place_names_);
  net.transition_names_ = std::move(transition_names_);
  net.place_names_.sort();
  net.transition_names_.sort();
  return net;
}

}  // namespace pnsim
