// Counts the steps that units of a net spend in each state during a run. The cost of a step depends
// on the places that it marks or empties, not on the number of units.
#pragma once

#include <span>
#include <vector>

#include "simulator/engine/run_result.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

class StateWatch {
 public:
  // Both must outlive the watch. The first step is step 0.
  StateWatch(const Net& net, std::span<const UnitStates> units);

  // `steps` equal steps, starting with `step`, each fire these transitions.
  void note_fired(std::span<const TransitionId> fired, std::uint64_t step, std::uint64_t steps);

  // Before `step` the place holds `tokens` tokens. Places that are not reported have not changed.
  void note_tokens(PlaceId p, Tokens tokens, std::uint64_t step);

  // The same for all places that the transitions take from or give to.
  void note_changes(std::span<const TransitionId> fired, const Marking& marking,
                    std::uint64_t step);

  // The state of a unit in `step`: after note_fired() for it, and before note_changes().
  std::uint32_t state(std::size_t group, std::uint32_t unit, std::uint64_t step) const {
    const Unit& mine = groups_[group].units[unit];
    return step < mine.hold_until ? mine.held : mine.state;
  }

  // [units][state] after a run of that many steps. Error 5 for more than 2^63.
  std::vector<StateTimes> times(std::uint64_t steps);

  // True when the units depend on ticks that FastEngine skips while delays run (Delays::kTimed).
  static bool needs_ticks(const Net& net, std::span<const UnitStates> units);

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Unit {
    std::uint64_t since = 0;       // counted up to this step
    std::uint64_t taken = kNever;  // the step of the last removal
    std::uint64_t hold_until = 0;  // until this step the state is `held`
    std::uint32_t held = 0;
    std::uint32_t state = 0;  // from the rows
  };
  struct Group {  // the units of one UnitStates
    const UnitStates* spec;
    std::vector<Unit> units;
    // [(unit * rows + row) * 2 + is_while] marked places; [unit] where the rows are exclusive
    std::vector<std::uint32_t> marked;
    StateTimes times;  // [state]
  };
  struct Mark {
    std::uint32_t group, unit, at;  // at: in Group::marked; the state where the rows are exclusive
  };
  struct Take {
    std::uint32_t group, unit, state;
    std::uint64_t steps;
  };

  void add_marks(std::uint32_t group, std::vector<std::vector<Mark>>& of_place);
  void add_takes();
  void change_marks(std::uint32_t place, int change, std::uint64_t step);
  static std::uint32_t state_of(const Group& group, std::uint32_t unit);
  static std::uint32_t rest_of(const Group& group);
  static std::uint32_t exclusive_state(Group& group, const Mark& mark, int change);
  static void count(Group& group, Unit& unit, std::uint64_t step);
  static void hold(Unit& unit, const Take& take, std::uint64_t step, std::uint64_t last);

  const Net& net_;
  std::vector<Group> groups_;
  std::vector<char> is_marked_;  // [place]
  std::vector<Mark> marks_;      // of place p: [mark_start_[p], mark_start_[p + 1])
  std::vector<std::uint32_t> mark_start_;
  std::vector<Take> takes_;  // of transition t, in the same form
  std::vector<std::uint32_t> take_start_;
};

}  // namespace pnsim
