// State times: computed by hand on nets of a few nodes, and both engines compared with a count that
// examines the whole marking in every step.
#include "simulator/engine/state_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/random_net.h"

namespace pnsim {
namespace {

using Row = UnitStates::Row;
using test::TinyNet;

PlaceId place(const Net& net, const char* name) { return *net.find_place(name); }

// A token waits for five ticks, is processed for one step, and is done. Then an endless cycle
// follows.
Net countdown_net() {
  return test::build({.places = {{"hold", 5}, {"ready", 1}, {"working", 0}, {"done", 0}},
                      .transitions = {{"tick", {{"hold", 1}}},
                                      {"begin", {{"ready", 1}}, {{"working", 1}}, {"hold"}},
                                      {"end", {{"working", 1}}, {{"done", 1}}},
                                      {"idle", {{"done", 1}}, {{"done", 1}}}}});
}

UnitStates phases(const Net& net) {
  UnitStates out{"phases", 1, {"taken", "holding", "working", "rest"}, {}, {}, {}};
  out.rows = {Row{1, false}, Row{2, false}};
  out.marks = {{place(net, "hold"), 0, 0, false}, {place(net, "working"), 0, 1, false}};
  return out;
}

StateTimes times_of(const Net& net, const UnitStates& units, std::uint64_t steps) {
  const StateTimes reference =
      run_reference(net, {}, steps, nullptr, {&units, 1}).state_times.at(0);
  EXPECT_EQ(run_incremental(net, {}, steps, nullptr, {&units, 1}).state_times.at(0), reference);
  return reference;
}

TEST(StateWatch, AStepCountsForTheStateThatTheMarkingBeforeItHas) {
  const Net net = countdown_net();
  EXPECT_EQ(times_of(net, phases(net), 100), (StateTimes{0, 5, 1, 94}));
  EXPECT_EQ(times_of(net, phases(net), 3), (StateTimes{0, 3, 0, 0}));
}

// A token passes from place to place: the last of these may be marked before the one before it is
// emptied, and two places may mean one state.
TEST(StateWatch, ExclusiveMarksCountAsRowsDo) {
  const Net net = countdown_net();
  const std::vector<std::pair<const char*, std::uint32_t>> places{
      {"ready", 0}, {"working", 1}, {"done", 1}};
  UnitStates rows{"phases", 1, {"a", "b", "rest"}, {}, {}, {}}, exclusive = rows;
  exclusive.is_exclusive = true;
  for (const auto& [name, state] : places) {
    rows.marks.push_back(
        {place(net, name), 0, static_cast<std::uint32_t>(rows.rows.size()), false});
    rows.rows.push_back(Row{state, false});
    exclusive.marks.push_back({place(net, name), 0, state, false});
  }
  EXPECT_EQ(times_of(net, exclusive, 100), (StateTimes{6, 94, 0}));
  EXPECT_EQ(times_of(net, exclusive, 100), times_of(net, rows, 100));
  exclusive.marks.pop_back();
  EXPECT_EQ(times_of(net, exclusive, 100), (StateTimes{6, 1, 93})) << "then no place is marked";
  exclusive.takes = {{place(net, "ready"), 0, 0, 3}};
  EXPECT_EQ(times_of(net, exclusive, 100), (StateTimes{8, 0, 92}));
}

TEST(StateWatch, ATakingCountsBeforeAllElseForAsLongAsItSays) {
  const Net net = countdown_net();
  UnitStates units = phases(net);
  units.takes = {{place(net, "ready"), 0, 0, 1}};
  EXPECT_EQ(times_of(net, units, 100), (StateTimes{1, 5, 1, 93}));
  units.takes[0].steps = 10;
  EXPECT_EQ(times_of(net, units, 100), (StateTimes{10, 5, 0, 85}));
  units.takes = {{place(net, "done"), 0, 0, 1}};
  EXPECT_EQ(times_of(net, units, 100), (StateTimes{93, 5, 1, 1}))
      << "every step of the cycle takes";
  units.takes = {{place(net, "hold"), 0, 0, 1}};
  EXPECT_EQ(times_of(net, units, 100), (StateTimes{5, 0, 1, 94})) << "ticks take as well";
}

TEST(StateWatch, ARowMayAskForAnotherPlaceAsWell) {
  const Net net = countdown_net();
  UnitStates units = phases(net);
  units.rows = {Row{1, true}, Row{2, false}};
  units.marks = {{place(net, "ready"), 0, 0, false},
                 {place(net, "hold"), 0, 0, true},
                 {place(net, "ready"), 0, 1, false}};
  EXPECT_EQ(times_of(net, units, 100), (StateTimes{0, 5, 1, 94})) << "ready and held, then ready";
}

// The definition of UnitStates, evaluated from scratch for every unit in every step.
class SlowCount {
 public:
  SlowCount(const Net& net, const UnitStates& spec)
      : net_(net), spec_(spec), hold_(spec.units), times_(spec.states.size()) {}

  void add_step(const Marking& marking, std::span<const TransitionId> fired, std::uint64_t step) {
    for (std::uint32_t unit = 0; unit < spec_.units; ++unit) {
      take(unit, fired, step);
      ++times_[step < hold_[unit].until ? hold_[unit].state : state_of(marking, unit)];
    }
  }

  const StateTimes& times() const { return times_; }

 private:
  struct Hold {
    std::uint64_t until = 0;
    std::uint32_t state = 0;
  };

  void take(std::uint32_t unit, std::span<const TransitionId> fired, std::uint64_t step) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> found;  // (longest removal, first state)
    for (const TransitionId t : fired) {
      for (const Arc& arc : net_.inputs(t)) {
        for (const auto& take : spec_.takes) {
          if (take.unit == unit && take.place == arc.place) {
            found.push_back({step + take.steps, -std::int64_t{take.state}});
          }
        }
      }
    }
    if (found.empty()) return;
    const auto best = *std::max_element(found.begin(), found.end());
    hold_[unit] = {best.first, static_cast<std::uint32_t>(-best.second)};
  }

  bool any(const Marking& marking, std::uint32_t unit, std::uint32_t row, bool is_while) const {
    return std::any_of(spec_.marks.begin(), spec_.marks.end(), [&](const auto& mark) {
      return mark.unit == unit && mark.row == row && mark.is_while == is_while &&
             marking[mark.place.value] > 0;
    });
  }

  std::uint32_t state_of(const Marking& marking, std::uint32_t unit) const {
    for (std::uint32_t row = 0; row < spec_.rows.size(); ++row) {
      if (!any(marking, unit, row, false)) continue;
      if (!spec_.rows[row].has_while || any(marking, unit, row, true)) return spec_.rows[row].state;
    }
    return static_cast<std::uint32_t>(spec_.states.size()) - 1;
  }

  const Net& net_;
  const UnitStates& spec_;
  std::vector<Hold> hold_;
  StateTimes times_;
};

StateTimes slow_times(const Net& net, const UnitStates& units, RunId id, std::uint64_t max_steps) {
  ReferenceEngine engine(net, id);
  SlowCount count(net, units);
  while (!engine.outcome(max_steps)) {
    const auto fired = engine.choose();
    count.add_step(engine.marking(), fired, engine.steps());
    engine.fire();
  }
  return count.times();
}

// Three units and four states, with random places.
UnitStates random_units(const Net& net, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t size) {
    return static_cast<std::uint32_t>(random() % size);
  };
  const auto any_place = [&] { return PlaceId{below(net.place_count())}; };
  UnitStates out{"units", 3, {"a", "b", "c", "rest"}, {}, {}, {}};
  for (std::uint32_t row = 0; row < 1 + below(4); ++row)
    out.rows.push_back({below(3), below(3) == 0});
  for (std::uint32_t i = 0; i < below(12); ++i) {
    const std::uint32_t row = below(out.rows.size());
    out.marks.push_back({any_place(), below(3), row, out.rows[row].has_while && below(2) == 0});
  }
  for (std::uint32_t i = 0; i < below(4); ++i) {
    out.takes.push_back({any_place(), below(3), below(3), 1 + below(4)});
  }
  return out;
}

// Includes countdowns and delays, which the fast engine skips while they run.
Net net_with_timers(std::uint64_t seed) {
  const auto tokens = [&](std::uint64_t salt) { return static_cast<Tokens>(1 + seed / salt % 7); };
  return test::build(
      {.places =
           {{"hold", tokens(1)}, {"ready", 2}, {"wait", 0}, {"passed", 0}, {"slow", 0}, {"out", 0}},
       .transitions = {{"tick", {{"hold", 1}}},
                       {"start", {{"ready", 1}}, {{"wait", 5}, {"hold", tokens(3)}}, {"wait"}},
                       {"pass", {{"wait", 2}}, {{"wait", 1}, {"passed", 1}}},
                       {"finish", {{"wait", 1}, {"passed", 4}}, {{"out", 1}, {"slow", tokens(5)}}},
                       {"slow_tick", {{"slow", 1}}},
                       {"back", {{"out", 1}}, {{"ready", 1}}, {"hold", "slow"}}}});
}

void expect_right_times(const Net& net, std::uint64_t seed, std::uint64_t max_steps) {
  const std::vector<UnitStates> units{random_units(net, seed), random_units(net, seed + 1'000'000)};
  const RunId id{.seed = seed};
  const RunResult reference = run_reference(net, id, max_steps, nullptr, units);
  const RunResult fast = run_incremental(net, id, max_steps, nullptr, units);
  for (std::size_t g = 0; g < units.size(); ++g) {
    const StateTimes expected = slow_times(net, units[g], id, max_steps);
    ASSERT_EQ(reference.state_times.at(g), expected) << net.name() << " seed " << seed;
    ASSERT_EQ(fast.state_times.at(g), expected) << net.name() << " seed " << seed;
  }
}

TEST(StateWatch, BothEnginesCountRandomNetsRight) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    expect_right_times(test::random_net(seed, {.flow = static_cast<test::Flow>(seed % 3)}), seed,
                       60);
  }
}

TEST(StateWatch, BothEnginesCountNetsOfDelaysRight) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    expect_right_times(net_with_timers(seed), seed, 40 + seed % 50);
  }
}

TEST(StateWatch, CountingChangesNothingElse) {
  const Net net = net_with_timers(4);
  const UnitStates units = random_units(net, 4);
  const RunResult with = run_incremental(net, {}, 500, nullptr, {&units, 1});
  const RunResult without = run_incremental(net, {}, 500);
  EXPECT_EQ(with.firings, without.firings);
  EXPECT_EQ(with.final_marking, without.final_marking);
  EXPECT_TRUE(without.state_times.empty());
}

}  // namespace
}  // namespace pnsim
