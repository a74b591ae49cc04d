// Who competed with whom on which place, and who won how often: the report that shows a race such
// as that of t16 in wpnm_literal.
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
  std::set<std::string> transitions;         // that wanted its tokens while it was contested
  std::map<std::string, std::uint64_t> won;  // transition -> firings that took of it then
};

class ConflictLog {
 public:
  explicit ConflictLog(const Net& net);
  ConflictLog(const ConflictLog&) = delete;
  ConflictLog& operator=(const ConflictLog&) = delete;

  // One step: the plan and what fires of it.
  void add_step(const StepPlan& plan, std::span<const TransitionId> fired);

  // The same without steps: `takers` competed for p `times` times; t took of it `times` times.
  void add_contests(PlaceId p, std::span<const TransitionId> takers, std::uint64_t times);
  void add_contest(PlaceId p) { ++times_[place_group_[p.value]]; }  // whose takers are told apart
  void add_takers(PlaceId p,
                  std::span<const TransitionId> takers) {  // of contests that are counted already
    for (const TransitionId t : takers) {
      if (competed_at_[t.value] != p) add_taker(p, t);
    }
  }
  void add_wins(PlaceId p, TransitionId t, std::uint64_t times);
  // All that another log of the same net holds.
  void add(const ConflictLog& other);

  // By template place, in the order of the net's places.
  std::vector<std::pair<std::string, ConflictCount>> counts() const;

 private:
  struct Cell {
    bool competed = false;
    std::uint64_t won = 0;
  };
  // By (place group, transition group). A transition mostly competes where it did before.
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
  std::unordered_map<std::uint64_t, Cell> cells_;              // they stay where they are
  std::vector<LastCell> last_cells_;                           // [transition]
  std::vector<PlaceId> competed_at_;                           // [transition] where last
  std::vector<char> seen_;                                     // [place] in the step at hand
};

}  // namespace pnsim
