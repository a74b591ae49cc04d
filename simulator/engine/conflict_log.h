// A log of conflicts: which transitions compete for which place, and how often each wins. It
// reveals races such as that of t16 in wpnm_literal.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/law.h"

namespace pnsim {

// Counts by template place and transition ("p2", not "p2.17").
struct ConflictCount {
  std::uint64_t times = 0;                   // (step, contested instance of the place) pairs
  std::set<std::string> transitions;         // that needed its tokens while it was contested
  std::map<std::string, std::uint64_t> won;  // transition -> firings that took from it then
};

class ConflictLog {
 public:
  explicit ConflictLog(const Net& net);
  ConflictLog(const ConflictLog&) = delete;
  ConflictLog& operator=(const ConflictLog&) = delete;

  // Adds one step: the plan, and the transitions that fire.
  void add_step(const StepPlan& plan, std::span<const TransitionId> fired);

  // Adds contests without a plan: `takers` competed for p `times` times; t took from it `times`
  // times.
  void add_contests(PlaceId p, std::span<const TransitionId> takers, std::uint64_t times);
  void add_contest(PlaceId p) { ++times_[place_group_[p.value]]; }  // takers are added separately
  void add_takers(PlaceId p,
                  std::span<const TransitionId> takers) {  // for contests that are already counted
    for (const TransitionId t : takers) {
      if (competed_at_[t.value] != p) add_taker(p, t);
    }
  }
  void add_wins(PlaceId p, TransitionId t, std::uint64_t times);
  // Adds all counts of another log of the same net.
  void add(const ConflictLog& other);

  // By template place, in the order of the net's places.
  std::vector<std::pair<std::string, ConflictCount>> counts() const;

 private:
  struct Cell {
    bool competed = false;
    std::uint64_t won = 0;
  };
  // The cell of (place group, transition group). A transition mostly competes for the same place as
  // last time, so the last cell is cached.
  Cell& cell(PlaceId p, TransitionId t) {
    LastCell& last = last_cells_[t.value];
    if (last.cell && last.place == p) return *last.cell;
    Cell& found = cells_[std::uint64_t{place_group_[p.value]} << 32 | transition_group_[t.value]];
    last = {p, &found};
    return found;
  }
  struct LastCell {
    PlaceId place;
    Cell* cell = nullptr;
  };
  void add_taker(PlaceId p, TransitionId t);

  const Net& net_;
  std::vector<std::string> place_groups_, transition_groups_;  // names
  std::vector<std::uint32_t> place_group_, transition_group_;  // [place], [transition]
  std::vector<std::uint64_t> times_;                           // [place group]
  std::unordered_map<std::uint64_t, Cell> cells_;              // references to elements stay valid
  std::vector<LastCell> last_cells_;                           // [transition]
  std::vector<PlaceId> competed_at_;                           // [transition] at its last contest
  std::vector<char> seen_;                                     // [place] in the current step
};

}  // namespace pnsim
