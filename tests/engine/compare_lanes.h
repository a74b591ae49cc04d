// Compares the lane engine with the reference engine.
#pragma once

#include <gtest/gtest.h>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/lane_engine.h"
#include "simulator/engine/lane_program_maker.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "tests/engine/same_run.h"

namespace pnsim::test {

// Compares whole markings step by step and returns the number of steps; every difference is a test
// failure. `gave_up` (may be null) is set when the lane engine leaves the net to the other engines.
template <class Ready>
std::uint64_t compare_steps(const LaneProgram& program, RunId id, std::uint64_t max_steps,
                            bool* gave_up = nullptr) {
  const Net& net = program.net();
  LaneMachine machine(program);
  LaneEngine<Ready> lanes(program, machine, id);
  ReferenceEngine reference(net, id);
  while (true) {
    const std::uint64_t step = reference.steps();
    const auto expected = reference.outcome(step);
    const auto found = lanes.run(step);
    if (!found) {
      if (gave_up) *gave_up = true;
      return step;
    }
    EXPECT_EQ(expected, found) << net.name() << " step " << step;
    EXPECT_EQ(lanes.marking(), reference.marking()) << net.name() << " step " << step;
    if (testing::Test::HasFailure() || expected != Outcome::kLimit || step == max_steps)
      return step;
    reference.outcome(step + 1);
    reference.choose();
    reference.fire();
  }
}

inline std::uint64_t compare_lane_steps(const LaneProgram& program, RunId id,
                                        std::uint64_t max_steps, bool* gave_up = nullptr) {
  return program.lanes() <= 64 ? compare_steps<OneWordSet>(program, id, max_steps, gave_up)
                               : compare_steps<ManyWordSet>(program, id, max_steps, gave_up);
}

inline void expect_same_conflicts(const ConflictLog& found, const ConflictLog& expected,
                                  const std::string& where) {
  const auto a = found.counts(), b = expected.counts();
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].first, b[i].first) << where;
    EXPECT_EQ(a[i].second.times, b[i].second.times) << where << " " << a[i].first;
    EXPECT_EQ(a[i].second.transitions, b[i].second.transitions) << where << " " << a[i].first;
    EXPECT_EQ(a[i].second.won, b[i].second.won) << where << " " << a[i].first;
  }
}

// Compares a whole run, including jumps, with the conflict log.
inline void compare_runs(FastRunner& runner, const Net& net, RunId id, std::uint64_t max_steps) {
  const std::string where = net.name() + " limit " + std::to_string(max_steps);
  ConflictLog expected_log(net), found_log(net);
  const RunResult expected = run_reference(net, id, max_steps, &expected_log);
  const RunResult found = runner.run(id, max_steps, &found_log);
  expect_same_run(found, expected, where);
  expect_same_conflicts(found_log, expected_log, where);
}

}  // namespace pnsim::test
