#include "simulator/engine/state_watch.h"

#include <algorithm>
#include <utility>

#include "simulator/base/error.h"
#include "simulator/engine/timers.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxUnitSteps = std::uint64_t{1} << 63;

}  // namespace

StateWatch::StateWatch(const Net& net, std::span<const UnitStates> units)
    : net_(net), is_marked_(net.place_count()) {
  std::vector<std::vector<Mark>> of_place(net.place_count());
  for (const UnitStates& spec : units) {
    const std::size_t each = spec.is_exclusive ? 1 : spec.rows.size() * 2;
    groups_.push_back({&spec, std::vector<Unit>(spec.units),
                       std::vector<std::uint32_t>(spec.units * each),
                       StateTimes(spec.states.size())});
    add_marks(static_cast<std::uint32_t>(groups_.size()) - 1, of_place);
    for (Unit& unit : groups_.back().units) unit.state = rest_of(groups_.back());
  }
  mark_start_ = {0};
  for (const auto& marks : of_place) {
    marks_.insert(marks_.end(), marks.begin(), marks.end());
    mark_start_.push_back(static_cast<std::uint32_t>(marks_.size()));
  }
  add_takes();
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    note_tokens(PlaceId{p}, net.initial_marking()[p], 0);
  }
}

void StateWatch::add_marks(std::uint32_t group, std::vector<std::vector<Mark>>& of_place) {
  const UnitStates& spec = *groups_[group].spec;
  for (const UnitStates::Mark& mark : spec.marks) {
    const auto row = mark.unit * static_cast<std::uint32_t>(spec.rows.size()) + mark.row;
    const std::uint32_t at = spec.is_exclusive ? mark.row : 2 * row + (mark.is_while ? 1 : 0);
    of_place[mark.place.value].push_back({group, mark.unit, at});
  }
}

void StateWatch::add_takes() {
  std::vector<std::vector<Take>> of_place(net_.place_count());
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    for (const UnitStates::Take& take : groups_[g].spec->takes) {
      of_place[take.place.value].push_back({g, take.unit, take.state, take.steps});
    }
  }
  take_start_ = {0};
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    for (const Arc& arc : net_.inputs(TransitionId{t})) {
      const auto& takes = of_place[arc.place.value];
      takes_.insert(takes_.end(), takes.begin(), takes.end());
    }
    take_start_.push_back(static_cast<std::uint32_t>(takes_.size()));
  }
}

std::uint32_t StateWatch::state_of(const Group& group, std::uint32_t unit) {
  const std::size_t rows = group.spec->rows.size();
  const std::uint32_t* marked = group.marked.data() + 2 * rows * unit;
  for (const UnitStates::Row& row : group.spec->rows) {
    if (marked[0] > 0 && (!row.has_while || marked[1] > 0)) return row.state;
    marked += 2;
  }
  return rest_of(group);
}

std::uint32_t StateWatch::rest_of(const Group& group) {
  return static_cast<std::uint32_t>(group.spec->states.size()) - 1;
}

// Within one step the next place may be marked before the last one is emptied.
std::uint32_t StateWatch::exclusive_state(Group& group, const Mark& mark, int change) {
  std::uint32_t& marked = group.marked[mark.unit];
  marked += static_cast<std::uint32_t>(change);
  if (change > 0) return mark.at;
  return marked > 0 ? group.units[mark.unit].state : rest_of(group);
}

void StateWatch::count(Group& group, Unit& unit, std::uint64_t step) {
  const std::uint64_t held = std::min(step, std::max(unit.hold_until, unit.since));
  group.times[unit.held] += held - unit.since;
  group.times[unit.state] += step - held;
  unit.since = step;
}

// Engines list the firing transitions in different orders. So, within one step, the longest removal
// counts.
void StateWatch::hold(Unit& unit, const Take& take, std::uint64_t step, std::uint64_t last) {
  const std::uint64_t until = last + take.steps;
  const bool is_first = std::exchange(unit.taken, step) != step;
  if (!is_first && until < unit.hold_until) return;
  if (!is_first && until == unit.hold_until && take.state > unit.held) return;
  unit.held = take.state;
  unit.hold_until = until;
}

void StateWatch::change_marks(std::uint32_t place, int change, std::uint64_t step) {
  for (std::uint32_t m = mark_start_[place]; m < mark_start_[place + 1]; ++m) {
    const Mark& mark = marks_[m];
    Group& group = groups_[mark.group];
    Unit& unit = group.units[mark.unit];
    count(group, unit, step);
    if (group.spec->is_exclusive) {
      unit.state = exclusive_state(group, mark, change);
      continue;
    }
    group.marked[mark.at] += static_cast<std::uint32_t>(change);
    unit.state = state_of(group, mark.unit);
  }
}

void StateWatch::note_tokens(PlaceId p, Tokens tokens, std::uint64_t step) {
  const bool now = tokens != 0;
  if (now == (is_marked_[p.value] != 0)) return;
  is_marked_[p.value] = now;
  change_marks(p.value, now ? 1 : -1, step);
}

void StateWatch::note_fired(std::span<const TransitionId> fired, std::uint64_t step,
                            std::uint64_t steps) {
  for (const TransitionId t : fired) {
    for (std::uint32_t k = take_start_[t.value]; k < take_start_[t.value + 1]; ++k) {
      Group& group = groups_[takes_[k].group];
      Unit& unit = group.units[takes_[k].unit];
      count(group, unit, step);
      hold(unit, takes_[k], step, step + (steps - 1));
    }
  }
}

void StateWatch::note_changes(std::span<const TransitionId> fired, const Marking& marking,
                              std::uint64_t step) {
  for (const TransitionId t : fired) {
    for (const Arc& arc : net_.inputs(t)) note_tokens(arc.place, marking[arc.place.value], step);
    for (const Arc& arc : net_.outputs(t)) note_tokens(arc.place, marking[arc.place.value], step);
  }
}

std::vector<StateTimes> StateWatch::times(std::uint64_t steps) {
  std::vector<StateTimes> out;
  for (Group& group : groups_) {
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(steps, group.spec->units, &all) || all > kMaxUnitSteps) {
      fail_limit("the steps of all " + group.spec->name + " would exceed 2^63");
    }
    for (Unit& unit : group.units) count(group, unit, steps);
    out.push_back(group.times);
  }
  return out;
}

bool StateWatch::needs_ticks(const Net& net, std::span<const UnitStates> units) {
  std::vector<char> is_passed(net.place_count()), is_wait(net.place_count());
  for (const Timer& timer : find_timers(net)) {
    is_wait[timer.wait.value] = true;
    if (!timer.is_countdown()) is_passed[timer.passed.value] = true;
  }
  return std::any_of(units.begin(), units.end(), [&](const UnitStates& spec) {
    return std::any_of(spec.marks.begin(), spec.marks.end(),
                       [&](const auto& mark) { return is_passed[mark.place.value] != 0; }) ||
           std::any_of(spec.takes.begin(), spec.takes.end(),
                       [&](const auto& take) { return is_wait[take.place.value] != 0; });
  });
}

}  // namespace pnsim
