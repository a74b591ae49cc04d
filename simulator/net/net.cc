#include "simulator/net/net.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

std::vector<std::string> group_names(const Net& net) {
  std::vector<std::string> names;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    const std::string_view group = net.group_of(PlaceId{p});
    if (names.empty() || names.back() != group) names.emplace_back(group);
    if (names.size() > 1000) break;  // enough names for a suggestion
  }
  return names;
}

}  // namespace

std::optional<PlaceId> Net::find_place(std::string_view name) const {
  const auto found = place_names_.find(name);
  return found ? std::optional(PlaceId{*found}) : std::nullopt;
}

std::optional<TransitionId> Net::find_transition(std::string_view name) const {
  const auto found = transition_names_.find(name);
  return found ? std::optional(TransitionId{*found}) : std::nullopt;
}

Net Net::with_goal(std::vector<PlaceId> goal) const {
  Net copy = *this;
  copy.goal_ = std::move(goal);
  return copy;
}

std::vector<PlaceId> places_named(const Net& net, std::string_view name) {
  if (const auto exact = net.find_place(name)) return {*exact};
  std::vector<PlaceId> found;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (net.group_of(PlaceId{p}) == name) found.push_back(PlaceId{p});
  }
  if (found.empty()) {
    const std::vector<std::string> known = group_names(net);
    fail_usage("no place \"" + std::string(name) + "\" in net " + net.name() +
               suggestion(name, known));
  }
  return found;
}

std::vector<PlaceId> parse_goal(const Net& net, std::span<const std::string> conditions) {
  std::vector<PlaceId> goal;
  for (const std::string& condition : conditions) {
    if (condition.size() < 3 || !condition.ends_with("=0")) {
      fail_usage("goal \"" + condition + "\": expected PLACE=0");
    }
    for (const PlaceId p : places_named(net, condition.substr(0, condition.size() - 2))) {
      goal.push_back(p);
    }
  }
  std::sort(goal.begin(), goal.end());
  goal.erase(std::unique(goal.begin(), goal.end()), goal.end());
  return goal;
}

}  // namespace pnsim
