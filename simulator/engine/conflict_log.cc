#include "simulator/engine/conflict_log.h"

#include <limits>
#include <string_view>

namespace pnsim {
namespace {

// Numbers the groups in order of first appearance, fills `names`, and returns the number of each
// node's group.
std::vector<std::uint32_t> group_indices(const std::vector<NodeNames::Group>& groups,
                                         std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::uint32_t> index;
  std::vector<std::uint32_t> group;
  for (const auto& [name, count] : groups) {
    const auto [it, added] = index.emplace(name, static_cast<std::uint32_t>(names.size()));
    if (added) names.emplace_back(name);
    group.insert(group.end(), count, it->second);
  }
  return group;
}

}  // namespace

ConflictLog::ConflictLog(const Net& net)
    : net_(net),
      place_group_(group_indices(net.place_groups(), place_groups_)),
      transition_group_(group_indices(net.transition_groups(), transition_groups_)),
      times_(place_groups_.size()),
      last_cells_(net.transition_count()),
      competed_at_(net.transition_count(), PlaceId{std::numeric_limits<std::uint32_t>::max()}),
      seen_(net.place_count()) {}

void ConflictLog::add_step(const StepPlan& plan, std::span<const TransitionId> fired) {
  if (plan.conflicts().empty()) return;
  std::vector<PlaceId> contested;
  for (const Conflict& conflict : plan.conflicts()) {
    for (const TransitionId t : conflict.candidates) {
      for (const Arc& arc : net_.inputs(t)) {
        if (!plan.is_contested(arc.place)) continue;
        cell(arc.place, t).competed = true;
        if (!seen_[arc.place.value]) contested.push_back(arc.place);
        seen_[arc.place.value] = true;
      }
    }
  }
  for (const PlaceId p : contested) {
    ++times_[place_group_[p.value]];
    seen_[p.value] = false;
  }
  for (const TransitionId t : fired) {
    for (const Arc& arc : net_.inputs(t)) {
      if (plan.is_contested(arc.place)) ++cell(arc.place, t).won;
    }
  }
}

void ConflictLog::add_contests(PlaceId p, std::span<const TransitionId> takers,
                               std::uint64_t times) {
  if (times == 0) return;
  times_[place_group_[p.value]] += times;
  add_takers(p, takers);
}

void ConflictLog::add_taker(PlaceId p, TransitionId t) {
  cell(p, t).competed = true;
  competed_at_[t.value] = p;
}

void ConflictLog::add_wins(PlaceId p, TransitionId t, std::uint64_t times) {
  if (times != 0) cell(p, t).won += times;
}

void ConflictLog::add(const ConflictLog& other) {
  for (std::size_t p = 0; p < times_.size(); ++p) times_[p] += other.times_[p];
  for (const auto& [key, more] : other.cells_) {
    Cell& sum = cells_[key];
    sum.competed = sum.competed || more.competed;
    sum.won += more.won;
  }
}

std::vector<std::pair<std::string, ConflictCount>> ConflictLog::counts() const {
  std::vector<std::pair<std::string, ConflictCount>> out;
  for (std::uint32_t p = 0; p < place_groups_.size(); ++p) {
    if (times_[p] == 0) continue;
    ConflictCount count{.times = times_[p], .transitions = {}, .won = {}};
    for (const auto& [key, cell] : cells_) {
      if (key >> 32 != p) continue;
      const std::string& name = transition_groups_[key & 0xffffffffu];
      if (cell.competed) count.transitions.insert(name);
      if (cell.competed) count.won[name] += cell.won;
    }
    out.emplace_back(place_groups_[p], std::move(count));
  }
  return out;
}

}  // namespace pnsim
