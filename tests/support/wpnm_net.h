// The paper's net with W warps that share p0, written arc by arc without the template.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/net/net_builder.h"

namespace pnsim::test {

// Names as in the shipped template: p0 and t0 once, then "p2.0", "t16.0" ... warp by warp.
struct WpnmParameters {
  int warps = 1;
  Tokens schedulers = 1;
  Tokens l1 = 20;        // latency of a global access, in steps
  Tokens l2 = 2;         // latency of a shared access, in steps
  Tokens xa = 1;         // arithmetic instructions a warp
  Tokens xs = 1;         // shared accesses a warp
  Tokens xg = 1;         // global accesses a warp
  bool literal = false;  // t16 as published: it does not take p3
};

namespace internal {

struct WpnmArc {
  int place;
  Tokens weight = 1;
};

struct WpnmRow {
  int transition;
  std::vector<WpnmArc> takes, gives;
  std::vector<int> inhibitors;
};

inline std::vector<WpnmRow> wpnm_rows(const WpnmParameters& w) {
  std::vector<WpnmRow> rows = {
      {1, {{0}, {2}, {4}}, {{11}}, {}},
      {2, {{3}, {5}}, {{4}, {6}}, {}},
      {3, {{3}, {7}}, {{4}, {8}}, {}},
      {4, {{3}, {9}}, {{4}, {10}}, {}},
      {5, {{11}, {10}}, {{0}, {12, w.l1 + 1}}, {}},
      {6, {{11}, {8}}, {{15, w.l2 + 1}}, {}},
      {7, {{11}, {6}}, {{17}}, {}},
      {8, {{12, 2}}, {{12}, {16}}, {}},
      {9, {{12}, {16, w.l1}}, {{13}}, {}},
      {11, {{13}}, {{2}, {3}}, {}},
      {12, {{15}, {18, w.l2}}, {{14}}, {}},
      {14, {{14}}, {{2}, {3}, {0}}, {}},
      {15, {{17}}, {{2}, {3}, {0}}, {}},
      {16, {{1}, {2}}, {}, {5, 7, 9}},
      {17, {{15, 2}}, {{15}, {18}}, {}},
  };
  if (!w.literal) rows[13].takes.push_back({3});
  return rows;
}

}  // namespace internal

// Places p0, then p1 ... p18 of each warp; transitions t0, then t1 ... t17 of each warp (there is
// no t10 and no t13). Goal: every p1 is empty.
inline Net wpnm_net(const WpnmParameters& w) {
  NetBuilder builder(w.literal ? "wpnm_literal" : "wpnm");
  const PlaceId pool = builder.add_place("p0", w.schedulers);
  const TransitionId wait = builder.add_transition("t0");
  builder.add_input(wait, pool);
  builder.add_output(wait, pool);
  std::vector<PlaceId> goal;
  for (int warp = 0; warp < w.warps; ++warp) {
    const std::string suffix = "." + std::to_string(warp);
    std::array<PlaceId, 19> place;
    place[0] = pool;
    for (std::uint32_t p = 1; p < place.size(); ++p) {
      const Tokens tokens = p <= 3 ? 1 : p == 5 ? w.xa : p == 7 ? w.xs : p == 9 ? w.xg : 0;
      place[p] = builder.add_place("p" + std::to_string(p) + suffix, tokens);
    }
    builder.add_inhibitor(wait, place[2]);
    goal.push_back(place[1]);
    for (const internal::WpnmRow& row : internal::wpnm_rows(w)) {
      const TransitionId t = builder.add_transition("t" + std::to_string(row.transition) + suffix);
      for (const auto& arc : row.takes) builder.add_input(t, place[arc.place], arc.weight);
      for (const auto& arc : row.gives) builder.add_output(t, place[arc.place], arc.weight);
      for (const int p : row.inhibitors) builder.add_inhibitor(t, place[p]);
    }
  }
  builder.set_goal(goal);
  builder.set_observables({.waiting = {wait}, .scheduler_pool = pool});
  return builder.build();
}

}  // namespace pnsim::test
