#include "simulator/net/net.h"

#include <algorithm>
#include <charconv>
#include <map>

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

bool Net::goal_holds(const Marking& marking) const {
  return has_goal() &&
         std::all_of(goal_.empty.begin(), goal_.empty.end(),
                     [&](PlaceId p) { return marking[p.value] == 0; }) &&
         std::all_of(goal_.ranges.begin(), goal_.ranges.end(), [&](const TokenRange& range) {
           return range.min <= marking[range.place.value] &&
                  marking[range.place.value] <= range.max;
         });
}

Net Net::with_goal(Goal goal) const {
  Net copy = *this;
  copy.goal_ = std::move(goal);
  return copy;
}

bool changes_nothing(const Net& net, TransitionId t) {
  const auto takes = net.inputs(t), gives = net.outputs(t);
  return std::equal(takes.begin(), takes.end(), gives.begin(), gives.end());
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

namespace {

[[noreturn]] void fail_condition(const std::string& text, const std::string& fault) {
  fail_usage("goal \"" + text + "\": " + fault);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The number of tokens behind the relation; nothing for other text.
std::optional<Tokens> parse_tokens(const std::string& text) {
  Tokens value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all && value >= 0 && value <= kMaxTokens ? std::optional(value) : std::nullopt;
}

// Both ranges must hold.
TokenRange both(const TokenRange& a, const TokenRange& b) {
  return {a.place, std::max(a.min, b.min), std::min(a.max, b.max)};
}

}  // namespace

GoalCondition parse_condition(const std::string& text) {
  constexpr const char* kExpected =
      "expected PLACE=0, or instead of = one of >=, <=, > and <, and instead of 0 a number of "
      "tokens up to 2^62";
  const std::size_t last = text.find_last_of("<>=");
  if (last == std::string::npos) fail_condition(text, kExpected);
  const bool has_two = last > 0 && text[last] == '=' &&
                       std::string_view("<>=").find(text[last - 1]) != std::string::npos;
  const std::size_t first = has_two ? last - 1 : last;
  const std::string relation = text.substr(first, last - first + 1);
  const std::optional<Tokens> tokens = parse_tokens(trimmed(text.substr(last + 1)));
  GoalCondition out{text.substr(0, first)};
  const std::string place = trimmed(out.place);
  const bool is_turned = out.place.ends_with('=') && !relation.starts_with('=');  // "=>"
  if (!tokens || place.empty() || place.ends_with('!') || is_turned) {
    fail_condition(text, kExpected);
  }
  if (relation.starts_with('=')) out.min = out.max = *tokens;
  if (relation == ">=") out.min = *tokens;
  if (relation == ">") out.min = *tokens + 1;
  if (relation == "<=") out.max = *tokens;
  if (relation == "<") out.max = *tokens - 1;
  if (out.min > out.max) fail_condition(text, "never holds");
  if (out.min == 0 && out.max == kMaxTokens) fail_condition(text, "always holds");
  return out;
}

Goal goal_of(const Net& net, std::span<const GoalCondition> conditions) {
  std::map<PlaceId, TokenRange> ranges;
  for (const GoalCondition& condition : conditions) {
    const bool is_exact = net.find_place(condition.place).has_value();
    const std::string name = is_exact ? condition.place : trimmed(condition.place);
    for (const PlaceId p : places_named(net, name)) {
      const TokenRange range{p, condition.min, condition.max};
      const auto [it, added] = ranges.emplace(p, range);
      if (!added) it->second = both(it->second, range);
      if (it->second.min > it->second.max) {
        fail_usage("the conditions of the goal on place \"" + net.name_of(p) +
                   "\" exclude each other");
      }
    }
  }
  Goal goal;
  for (const auto& [place, range] : ranges) {
    range.max == 0 ? goal.empty.push_back(place) : goal.ranges.push_back(range);
  }
  return goal;
}

Goal parse_goal(const Net& net, std::span<const std::string> conditions) {
  std::vector<GoalCondition> parsed;
  for (const std::string& condition : conditions) parsed.push_back(parse_condition(condition));
  return goal_of(net, parsed);
}

std::vector<std::string> goal_texts(const Net& net) {
  // A name that ends in a sign of a relation is set apart from the relation.
  const auto name_of = [&](PlaceId p) {
    const std::string name = net.name_of(p);
    return name.find_last_of("<>=") + 1 == name.size() ? name + " " : name;
  };
  std::vector<std::string> out;
  for (const PlaceId p : net.goal()) out.push_back(name_of(p) + "=0");
  for (const TokenRange& range : net.goal_ranges()) {
    const std::string name = name_of(range.place);
    if (range.min == range.max) {
      out.push_back(name + "=" + std::to_string(range.min));
      continue;
    }
    if (range.min > 0) out.push_back(name + ">=" + std::to_string(range.min));
    if (range.max < kMaxTokens) out.push_back(name + "<=" + std::to_string(range.max));
  }
  return out;
}

}  // namespace pnsim
