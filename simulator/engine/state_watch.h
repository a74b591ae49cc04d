// Counts the steps that units of a net spend in their states while a run goes on. What a step costs
// depends on the places that it marks or empties, not on the units.
#pragma once

#include <span>
#include <vector>

#include "simulator/engine/run_result.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

class StateWatch {
 public:
  // Both outlive the watch. Step 0 is the first.
  StateWatch(const Net& net, std::span<const UnitStates> units);

  // `steps` equal steps from `step` on each fire these transitions.
  void note_fired(std::span<const TransitionId> fired, std::uint64_t step, std::uint64_t steps);

  // Before `step` the place holds so many tokens; of places not named nothing has changed.
  void note_tokens(PlaceId p, Tokens tokens, std::uint64_t step);

  // The same for all places that the transitions take from or give to.
  void note_changes(std::span<const TransitionId> fired, const Marking& marking,
                    std::uint64_t step);

  // [units][state], the run having made so many steps. Error 5 over 2^63.
  std::vector<StateTimes> times(std::uint64_t steps);

  // Asks for something that FastEngine leaves out while delays run (Delays::kTimed).
  static bool needs_ticks(const Net& net, std::span<const UnitStates> units);

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Unit {
    std::uint64_t since = 0;       // counted up to this step
    std::uint64_t taken = kNever;  // the step of the last taking
    std::uint64_t hold_until = 0;  // before it the state is `held`
    std::uint32_t held = 0;
    std::uint32_t state = 0;  // by the rows
  };
  struct Group {  // one UnitStates
    const UnitStates* spec;
    std::vector<Unit> units;
    std::vector<std::uint32_t> marked;  // [(unit * rows + row) * 2 + is_while] marked places
    StateTimes times;                   // [state]
  };
  struct Mark {
    std::uint32_t group, unit, at;  // at: in Group::marked
  };
  struct Take {
    std::uint32_t group, unit, state;
    std::uint64_t steps;
  };

  void add_marks(std::uint32_t group, std::vector<std::vector<Mark>>& of_place);
  void add_takes();
  void change_marks(std::uint32_t place, int change, std::uint64_t step);
  static std::uint32_t state_of(const Group& group, std::uint32_t unit);
  static void count(Group& group, Unit& unit, std::uint64_t step);
  static void hold(Unit& unit, const Take& take, std::uint64_t step, std::uint64_t last);

  const Net& net_;
  std::vector<Group> groups_;
  std::vector<char> is_marked_;  // [place]
  std::vector<Mark> marks_;      // of place p: [mark_start_[p], mark_start_[p + 1])
  std::vector<std::uint32_t> mark_start_;
  std::vector<Take> takes_;  // of transition t, likewise
  std::vector<std::uint32_t> take_start_;
};

}  // namespace pnsim
