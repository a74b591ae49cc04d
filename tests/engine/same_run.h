// Compares two results of one run.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "simulator/engine/run.h"

namespace pnsim::test {

inline void expect_same_run(const RunResult& found, const RunResult& expected,
                            const std::string& where) {
  EXPECT_EQ(found.id.replica, expected.id.replica) << where;
  EXPECT_EQ(found.outcome, expected.outcome) << where;
  EXPECT_EQ(found.steps, expected.steps) << where;
  EXPECT_EQ(found.firings, expected.firings) << where;
  EXPECT_EQ(found.waiting_steps, expected.waiting_steps) << where;
  EXPECT_EQ(found.idle_scheduler_steps, expected.idle_scheduler_steps) << where;
  EXPECT_EQ(found.final_marking, expected.final_marking) << where;
}

}  // namespace pnsim::test
