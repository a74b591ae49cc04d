// Compares the fast engine with the reference engine, step by step, whole markings.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simulator/engine/fast_engine.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim::test {

inline std::vector<TransitionId> sorted(std::span<const TransitionId> list) {
  std::vector<TransitionId> out(list.begin(), list.end());
  std::sort(out.begin(), out.end());
  return out;
}

// Returns the number of steps; every difference is a test failure.
inline std::uint64_t compare_timed(const Net& net, RunId id, std::uint64_t max_steps) {
  ReferenceEngine reference(net, id);
  FastEngine timed(net, id, Delays::kTimed);
  while (true) {
    const auto expected = reference.outcome(max_steps);
    EXPECT_EQ(timed.outcome(max_steps), expected) << net.name() << " step " << reference.steps();
    if (expected || testing::Test::HasFailure()) return reference.steps();
    EXPECT_EQ(timed.is_fixed(), reference.is_fixed()) << net.name();
    const std::size_t fired = reference.choose().size();
    EXPECT_EQ(timed.choose().size() + timed.ticks(), fired) << net.name();
    const std::uint64_t equal = timed.equal_steps(max_steps);
    for (std::uint64_t i = 0; i < equal; ++i) {
      if (i > 0) {
        EXPECT_FALSE(reference.outcome(max_steps)) << net.name();
        EXPECT_EQ(reference.choose().size(), fired) << net.name();
      }
      reference.fire();
    }
    equal == 1 ? timed.fire() : timed.fire_equal(equal);
    EXPECT_EQ(timed.marking(), reference.marking()) << net.name() << " step " << reference.steps();
  }
}

// Compares both variants of the fast engine: the one that makes every step, and the one that skips
// running delays.
inline std::uint64_t compare_engines(const Net& net, RunId id, std::uint64_t max_steps) {
  compare_timed(net, id, max_steps);
  ReferenceEngine reference(net, id);
  FastEngine fast(net, id);
  while (true) {
    const auto expected = reference.outcome(max_steps);
    const auto found = fast.outcome(max_steps);
    EXPECT_EQ(expected, found) << net.name() << " step " << reference.steps();
    if (expected || found) return reference.steps();
    EXPECT_EQ(fast.is_fixed(), reference.is_fixed()) << net.name();
    const auto reference_fired = sorted(reference.choose());
    EXPECT_EQ(sorted(fast.choose()), reference_fired)
        << net.name() << " step " << reference.steps();
    reference.fire();
    fast.fire();
    EXPECT_EQ(fast.marking(), reference.marking()) << net.name() << " step " << reference.steps();
    if (testing::Test::HasFailure()) return reference.steps();
  }
}

}  // namespace pnsim::test
