// Timers end in the right step: near and far, extended, stopped and restarted.
#include "simulator/engine/running_timers.h"

#include <gtest/gtest.h>

#include "tests/engine/tiny_net.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

Net three_countdowns() {
  return test::build({.places = {{"a", 0}, {"b", 0}, {"c", 0}},
                      .transitions = {{"ta", {{"a", 1}}}, {"tb", {{"b", 1}}}, {"tc", {{"c", 1}}}}});
}

// Advances from end to end and returns which timer ended in which step.
std::vector<std::pair<std::uint64_t, std::uint32_t>> ends(RunningTimers& timers,
                                                          std::uint64_t step) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> out;
  while ((step = timers.next_end(step)) != kNever) {
    for (std::uint32_t i; (i = timers.take_ended(step)) != RunningTimers::kNone;) {
      out.emplace_back(step, i);
    }
  }
  return out;
}

TEST(RunningTimers, EndInTheirStepsOnTheWheelAndBeyond) {
  RunningTimers timers(three_countdowns());
  timers.start(0, 5, 3);
  timers.start(1, 5, RunningTimers::kSlots - 1);
  timers.start(2, 5, 3 * RunningTimers::kSlots);
  EXPECT_EQ(timers.count(), 3u);
  EXPECT_EQ(ends(timers, 5),
            (std::vector<std::pair<std::uint64_t, std::uint32_t>>{
                {8, 0}, {4 + RunningTimers::kSlots, 1}, {5 + 3 * RunningTimers::kSlots, 2}}));
  EXPECT_EQ(timers.count(), 0u);
}

TEST(RunningTimers, ExtendedOnesEndLater) {
  RunningTimers timers(three_countdowns());
  timers.start(0, 0, 10);
  timers.extend(0, 2 * RunningTimers::kSlots);
  timers.start(1, 0, 10);
  timers.extend(1, 1);
  EXPECT_EQ(timers.left(0, 4), static_cast<Tokens>(2 * RunningTimers::kSlots + 6));
  EXPECT_EQ(ends(timers, 0), (std::vector<std::pair<std::uint64_t, std::uint32_t>>{
                                 {11, 1}, {10 + 2 * RunningTimers::kSlots, 0}}));
}

TEST(RunningTimers, AStoppedOneDoesNotEndAndMayStartAgain) {
  RunningTimers timers(three_countdowns());
  timers.start(0, 0, 10);
  timers.start(1, 0, 20);
  timers.stop(0);
  timers.stop(1);
  timers.start(1, 7, 20);
  EXPECT_EQ(ends(timers, 7), (std::vector<std::pair<std::uint64_t, std::uint32_t>>{{27, 1}}));
  EXPECT_FALSE(timers.is_running(0));
}

}  // namespace
}  // namespace pnsim
