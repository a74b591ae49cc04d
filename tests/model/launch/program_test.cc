// The walk over programs: order, executions and depth of what it visits.
#include "simulator/model/launch/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "simulator/base/error.h"
#include "simulator/model/launch/launch.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

ProgramItem segment_item(std::size_t segment, InstructionCounts counts = {}) {
  return {.counts = counts, .body = {}, .segment = segment};
}

ProgramItem loop_item(std::int64_t repeat, std::vector<ProgramItem> body) {
  return {.repeat = repeat, .counts = {}, .body = std::move(body)};
}

// 0, then 3 times (1, twice (2)), then 1.
std::vector<ProgramItem> nested() {
  return {segment_item(0), loop_item(3, {segment_item(1), loop_item(2, {segment_item(2)})}),
          segment_item(1)};
}

// "0@0x1": the segment, its depth and its executions; "L@0x3" for a loop.
std::string visited(std::span<const ProgramItem> program, std::int64_t times = 1) {
  std::string text;
  for_each_item(
      program,
      [&](const ProgramPlace& place) {
        text += text.empty() ? "" : " ";
        text += place.is_loop() ? "L" : std::to_string(*place.item.segment);
        text += "@" + std::to_string(place.depth) + "x" + std::to_string(place.executions);
      },
      times);
  return text;
}

TEST(ProgramWalk, VisitsItemsInOrderWithExecutionsAndDepth) {
  EXPECT_EQ(visited(nested()), "0@0x1 L@0x3 1@1x3 L@1x6 2@2x6 1@0x1");
  EXPECT_EQ(visited({}), "");
}

TEST(ProgramWalk, MultipliesTheExecutionsOfTheProgram) {
  EXPECT_EQ(visited(nested(), 10), "0@0x10 L@0x30 1@1x30 L@1x60 2@2x60 1@0x10");
  EXPECT_EQ(visited(only(nested()[1]), 2), "L@0x6 1@1x6 L@1x12 2@2x12");
}

TEST(ProgramWalk, VisitsALoopOfNoIterationsWithoutExecutions) {
  const std::vector<ProgramItem> program{loop_item(0, {segment_item(4)})};
  EXPECT_EQ(visited(program), "L@0x0 4@1x0");
}

TEST(ProgramWalk, SumsTheWarpsOfALaunch) {
  Launch launch;
  launch.segments.resize(3);
  launch.warp_kinds = {{.warps = 5, .program = nested()},
                       {.warps = 7, .program = {segment_item(2)}}};
  std::vector<std::int64_t> executions(3, 0);
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (!place.is_loop()) executions[*place.item.segment] += place.executions;
  });
  EXPECT_EQ(executions, (std::vector<std::int64_t>{5, 5 * (3 + 1), 5 * 6 + 7}));
}

TEST(ProgramWalk, ExecutionsBeyondAllCountsDoNotOverflow) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(executions_product(6, 7), 42);
  EXPECT_EQ(executions_product(kMost, 2), kMost);
  std::vector<ProgramItem> program{segment_item(0)};
  for (int depth = 0; depth < 5; ++depth) program = {loop_item(kMaxRepeat, program)};
  std::int64_t executions = 0;
  for_each_item(program, [&](const ProgramPlace& place) { executions = place.executions; });
  EXPECT_EQ(executions, kMost);
}

TEST(ProgramWalk, ChangesEveryItem) {
  std::vector<ProgramItem> program = nested();
  change_each_item(program, [](ProgramItem& item) {
    item.segment ? void(*item.segment += 10) : void(item.repeat += 1);
  });
  EXPECT_EQ(visited(program), "10@0x1 L@0x4 11@1x4 L@1x12 12@2x12 11@0x1");
}

TEST(ProgramWalk, TotalCountsRefuseSumsThatOnlyExecutionsMakeTooLarge) {
  std::vector<ProgramItem> program{segment_item(0, {.arithmetic = 1})};
  for (int depth = 0; depth < 3; ++depth) program = {loop_item(kMaxRepeat, program)};
  EXPECT_THROW(total_counts(program, "here"), Error);
  program = {segment_item(0, {.arithmetic = 1})};
  for (int depth = 0; depth < 2; ++depth) program = {loop_item(kMaxRepeat, program)};
  EXPECT_EQ(total_counts(program, "here"),
            (InstructionCounts{.arithmetic = kMaxRepeat * kMaxRepeat}));
}

TEST(ProgramWalk, TotalCountsRefuseSumsThatOnlyTheWarpsMakeTooLarge) {
  const std::vector<ProgramItem> program{segment_item(0, {.shared = std::int64_t{1} << 61})};
  InstructionCounts sum;
  add_total_counts(program, 1, "here", sum);
  EXPECT_EQ(sum.shared, std::int64_t{1} << 61);
  EXPECT_THROW(add_total_counts(program, 4, "here", sum), Error);
  EXPECT_THROW(
      total_counts({segment_item(0, {.shared = kMaxTokens}), segment_item(1, {.shared = 1})},
                   "here"),
      Error);
}

}  // namespace
}  // namespace pnsim
