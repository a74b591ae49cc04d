#include "simulator/net/net_builder.h"

#include <algorithm>
#include <numeric>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

std::vector<std::uint32_t> sorted_by_name(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return names[a] < names[b]; });
  return order;
}

}  // namespace

NetBuilder::NetBuilder(std::string net_name)
    : net_name_(std::move(net_name)), origin_("net " + net_name_) {}

void NetBuilder::check_name(const std::string& name, const char* what) const {
  if (name.empty()) fail_input(origin_, std::string("a ") + what + " has an empty name");
  if (place_names_.size() + transition_names_.size() >= kMaxNodes) {
    fail_input(origin_, "more than " + std::to_string(kMaxNodes) + " places and transitions");
  }
  if (place_index_.contains(name) || transition_index_.contains(name)) {
    fail_input(origin_, "the name \"" + name + "\" stands twice");
  }
}

void NetBuilder::check_weight(Tokens weight) const {
  if (weight < 1 || weight > kMaxTokens) {
    fail_input(origin_, "found an arc weight of " + std::to_string(weight) +
                            ", expected 1 to 2^62");
  }
}

PlaceId NetBuilder::add_place(const std::string& name, Tokens initial_tokens) {
  check_name(name, "place");
  if (initial_tokens < 0 || initial_tokens > kMaxTokens) {
    fail_input(origin_, "place \"" + name + "\": found " + std::to_string(initial_tokens) +
                            " tokens, expected 0 to 2^62");
  }
  const PlaceId id{static_cast<std::uint32_t>(place_names_.size())};
  place_index_.emplace(name, id.value);
  place_names_.push_back(name);
  initial_.push_back(initial_tokens);
  return id;
}

TransitionId NetBuilder::add_transition(const std::string& name) {
  check_name(name, "transition");
  const TransitionId id{static_cast<std::uint32_t>(transition_names_.size())};
  transition_index_.emplace(name, id.value);
  transition_names_.push_back(name);
  inputs_.emplace_back();
  outputs_.emplace_back();
  inhibitors_.emplace_back();
  return id;
}

void NetBuilder::add_input(TransitionId t, PlaceId p, Tokens weight) {
  check_weight(weight);
  inputs_.at(t.value).push_back({p, weight});
}

void NetBuilder::add_output(TransitionId t, PlaceId p, Tokens weight) {
  check_weight(weight);
  outputs_.at(t.value).push_back({p, weight});
}

void NetBuilder::add_inhibitor(TransitionId t, PlaceId p) {
  inhibitors_.at(t.value).push_back(p);
}

std::optional<PlaceId> NetBuilder::find_place(const std::string& name) const {
  const auto it = place_index_.find(name);
  return it == place_index_.end() ? std::nullopt : std::optional(PlaceId{it->second});
}

void NetBuilder::append_merged(std::vector<Arc>& arcs, const std::string& transition,
                               std::vector<Arc>& all) const {
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) { return a.place < b.place; });
  const std::size_t first = all.size();
  for (const Arc& arc : arcs) {
    if (all.size() == first || all.back().place != arc.place) {
      all.push_back(arc);
    } else if (arc.weight > kMaxTokens - all.back().weight) {
      fail_input(origin_, "transition \"" + transition + "\": parallel arcs add up to over 2^62");
    } else {
      all.back().weight += arc.weight;
    }
  }
}

Net NetBuilder::build() {
  if (transition_names_.empty()) fail_input(origin_, "the net has no transitions");
  Net net;
  net.input_start_ = net.output_start_ = net.inhibitor_start_ = {0};
  const auto end = [](auto& start, const auto& all) {
    start.push_back(static_cast<std::uint32_t>(all.size()));
  };
  for (std::size_t t = 0; t < transition_names_.size(); ++t) {
    append_merged(inputs_[t], transition_names_[t], net.inputs_);
    append_merged(outputs_[t], transition_names_[t], net.outputs_);
    std::vector<PlaceId>& inhibitors = inhibitors_[t];
    std::sort(inhibitors.begin(), inhibitors.end());
    inhibitors.erase(std::unique(inhibitors.begin(), inhibitors.end()), inhibitors.end());
    net.inhibitors_.insert(net.inhibitors_.end(), inhibitors.begin(), inhibitors.end());
    end(net.input_start_, net.inputs_);
    end(net.output_start_, net.outputs_);
    end(net.inhibitor_start_, net.inhibitors_);
  }
  net.name_ = std::move(net_name_);
  net.initial_ = std::move(initial_);
  net.goal_ = std::move(goal_);
  net.observables_ = std::move(observables_);
  net.places_by_name_ = sorted_by_name(place_names_);
  net.transitions_by_name_ = sorted_by_name(transition_names_);
  net.place_names_ = std::move(place_names_);
  net.transition_names_ = std::move(transition_names_);
  return net;
}

}  // namespace pnsim
