// Groups of asynchronous copies that stay in flight over several iterations.
#include "simulator/model/sm/copy_groups.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simulator/engine/run.h"
#include "simulator/model/sm/sm_parameters.h"
#include "simulator/model/template/instantiate.h"
#include "tests/model/sass/listing.h"
#include "tests/support/launches_of_tests.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

// Segments of a kernel that copies tiles: 0 begins, 1 copies and ends a group, 2 waits and
// multiplies, 3 copies and ends two groups, 4 ends two empty groups, 5 ends the kernel, 6 waits.
Launch copying(std::vector<ProgramItem> program, int left) {
  Launch launch;
  launch.kernel = "copying";
  launch.grid = 132;
  launch.block = 32;
  launch.segments.resize(7);
  launch.segments[0].classes = {{"int", 4}};
  for (const auto& [s, ends] : {std::pair{1, 1}, {3, 2}}) {
    Segment& segment = launch.segments[static_cast<std::size_t>(s)];
    segment.classes = {{"async_copy", 2}, {"copy_commit", ends}};
    segment.accesses.push_back(
        {.access_class = "async_copy", .count = 2, .bytes = 16, .sectors = 32, .tag_lookups = 8});
    segment.copy_stages = left;
  }
  for (const std::size_t s : {2, 6}) {
    launch.segments[s].classes = {{"int", 8}};
    launch.segments[s].waits_for = {LateResult::kAsyncCopy};
  }
  launch.segments[4].classes = {{"copy_commit", 2}};
  launch.segments[5].classes = {{"int", 2}};
  launch.warp_kinds = {{132, std::move(program)}};
  launch.block_kinds = {{132, {{0, 1}}}};
  launch.counters = {{"l2_read_sectors", 132 * 32 * 20}};
  return launch;
}

// Three groups first; each iteration issues another one and waits until two are in flight.
std::vector<ProgramItem> ahead() {
  return {item(0), item(1), item(1), item(1), item(2), loop(8, {item(1), item(2)}),
          item(4), item(5)};
}

// The places of a program as "segment", "+groups that land", "-groups that are awaited", "^":
// jumps.
std::string text_of(const std::vector<ProgramItem>& program, const ProgramCosts& costs) {
  std::string text;
  for (const ProgramItem& item : program) {
    if (!text.empty()) text += ' ';
    if (!item.segment) {
      text += std::to_string(item.repeat) + "x(" + text_of(item.body, costs) + ")";
      continue;
    }
    const std::size_t given = costs.segments.size() - costs.origins.size();
    const SegmentCost& cost = costs.segments[*item.segment];
    text += std::to_string(*item.segment < given ? *item.segment
                                                 : costs.origins[*item.segment - given]);
    if (cost.groups) text += "+" + std::to_string(cost.groups);
    if (cost.awaited) text += "-" + std::to_string(cost.awaited);
    if (cost.work > 1) text += "^";
  }
  return text;
}

std::string groups_of(const Launch& launch) {
  ProgramCosts costs;
  costs.segments.resize(launch.segments.size());
  costs.branch_cycles = 10;
  std::vector<std::vector<ProgramItem>> programs;
  for (const WarpKind& kind : launch.warp_kinds) programs.push_back(kind.program);
  wait_for_copy_groups(launch, programs, costs);
  std::string text;
  for (const auto& program : programs) text += (text.empty() ? "" : "; ") + text_of(program, costs);
  return text;
}

TEST(CopyGroups, AWaitIsForTheGroupsIssuedBeforeThoseLeft) {
  EXPECT_EQ(groups_of(copying(ahead(), 2)),
            "0 1+1 1+1 1+1 2-1 1+1 2-1^ 1+1 2-1^ 2x(1+1 2-1^ 1+1 2-1^ 1+1 2-1) 4+2 5-4")
      << "three iterations are in flight; behind the loop no group is left";
}

TEST(CopyGroups, AnIterationMayEndTwoGroups) {
  EXPECT_EQ(
      groups_of(copying({item(0), item(3), item(3), loop(9, {item(2), item(3)}), item(6)}, 2)),
      "0 3+2 3+2 2-2 3+2^ 4x(2-2 3+2^ 2-2 3+2) 6-4");
}

TEST(CopyGroups, AFirstIterationThatWaitsForMoreStandsAlone) {
  EXPECT_EQ(
      groups_of(copying({item(1), item(1), item(1), loop(5, {item(1), item(2)}), item(5)}, 1)),
      "1+1 1+1 1+1 1+1 2-3^ 2x(1+1 2-1^ 1+1 2-1) 5-1");
}

// In its last iterations a warp copies nothing more, but ends groups.
TEST(CopyGroups, EmptyGroupsHaveLanded) {
  Launch launch = copying(
      {item(1), item(1), loop(4, {item(2), item(1)}), loop(2, {item(2), item(4)}), item(5)}, 1);
  launch.segments[4].classes["copy_commit"] = 1;
  EXPECT_EQ(groups_of(launch), "1+1 1+1 2x(2-1 1+1^ 2-1 1+1) 2-1 4+1^ 2-1 4+1 5-2");
}

TEST(CopyGroups, ProgramsThatTheyDoNotFitKeepTheirShares) {
  const auto stays = [](const Launch& launch) {
    return groups_of(launch).find_first_of("+-") == std::string::npos;
  };
  EXPECT_FALSE(stays(copying(ahead(), 2)));
  EXPECT_TRUE(stays(copying(ahead(), 0))) << "nothing stays in flight";
  EXPECT_TRUE(stays(copying({item(0), loop(8, {item(1), item(2)}), item(5)}, 3)))
      << "the loop begins with fewer groups than its waits leave";
  EXPECT_TRUE(stays(copying({item(1), item(1), loop(8, {item(1), item(2)})}, 1)))
      << "nothing waits for the last group";
  Launch loading = copying(ahead(), 2);
  loading.segments[1].classes["global_load"] = 1;
  loading.segments[1].accesses.push_back({.access_class = "global_load", .count = 1, .bytes = 4});
  EXPECT_TRUE(stays(loading)) << "one wait is for its loads and its copies";
  std::vector<ProgramItem> deep = ahead();
  for (int i = 0; i < 40; ++i) deep = {loop(2, std::move(deep))};
  deep.push_back(item(5));
  EXPECT_TRUE(stays(copying(deep, 2))) << "too many loops to walk through";
}

// Copies in a loop of a group that ends behind it, or in the next iteration.
TEST(CopyGroups, AGroupThatCrossesTheEdgeOfALoopKeepsItsShares) {
  const auto stays = [](std::vector<ProgramItem> program) {
    Launch launch = copying(std::move(program), 1);
    launch.segments.push_back(launch.segments[1]);
    launch.segments[7].classes.erase("copy_commit");
    return groups_of(launch).find_first_of("+-") == std::string::npos;
  };
  EXPECT_TRUE(stays({item(1), item(1), loop(4, {item(7)}), item(4), item(2), item(5)}));
  EXPECT_TRUE(stays({item(1), item(1), loop(9, {item(2), item(4), item(7)}), item(5)}));
  EXPECT_FALSE(stays({item(1), item(1), loop(9, {item(2), item(1), item(7)}), item(5)}))
      << "the copies of the next iteration are of its own group";
}

// In a loop of few iterations bodies are written one after the other, and are at the same places.
TEST(CopyGroups, TheGroupsLeftAreAwaitedOnce) {
  EXPECT_EQ(
      groups_of(copying({item(1), item(1), loop(3, {item(1), item(2), item(0), item(5)})}, 2)),
      "1+1 1+1 1+1 2-1 0 5^ 1+1 2-1 0 5^ 1+1 2-1 0-2 5");
}

// A random program of up to three levels: what lands is awaited, and the net comes to its end.
std::vector<ProgramItem> random_program(std::mt19937& random, int depth) {
  std::vector<ProgramItem> out;
  const auto items = 2 + random() % 4;
  for (std::size_t i = 0; i < items; ++i) {
    if (depth > 0 && random() % 3 == 0) {
      out.push_back(
          loop(1 + static_cast<std::int64_t>(random() % 9), random_program(random, depth - 1)));
    } else {
      out.push_back(item(random() % 7));
    }
  }
  return out;
}

TEST(CopyGroups, WhatLandsIsAwaitedInRandomPrograms) {
  std::mt19937 random(147);
  int changed = 0;
  for (int run = 0; run < 3'000; ++run) {
    std::vector<ProgramItem> program = random_program(random, 2);
    program.push_back(item(5));
    const Launch launch = copying(program, static_cast<int>(1 + random() % 3));
    ProgramCosts costs;
    costs.segments.resize(launch.segments.size());
    std::vector<std::vector<ProgramItem>> programs{program};
    wait_for_copy_groups(launch, programs, costs);
    std::int64_t left = 0;
    for_each_item(programs[0], [&](const ProgramPlace& at) {
      if (!at.item.segment) return;
      const SegmentCost& cost = costs.segments[*at.item.segment];
      left += at.executions * (cost.groups - cost.awaited);
    });
    ASSERT_EQ(left, 0) << test::text_of(program);
    if (costs.origins.empty() || ++changed % 40 != 0) continue;
    EXPECT_EQ(run_reference(instantiate(test::sm_net(), sm_parameters(launch, test::h200())), {},
                            1'000'000)
                  .outcome,
              Outcome::kGoal)
        << test::text_of(program);
  }
  EXPECT_GT(changed, 200);
}

// The loads of a launch are waited for as before where some warps have groups in flight.
TEST(CopyGroups, EachKindOfWarpHasItsOwn) {
  Launch launch = copying(ahead(), 2);
  launch.warp_kinds = {{66, ahead()}, {66, {item(0), item(1), item(2), item(5)}}};
  EXPECT_TRUE(groups_of(launch).ends_with("5-4; 0 1+1 2-1 5")) << groups_of(launch);
}

std::uint64_t steps(const ParameterValues& values, Outcome expected = Outcome::kGoal) {
  const RunResult result = run_reference(instantiate(test::sm_net(), values), {}, 100'000);
  EXPECT_EQ(result.outcome, expected);
  return result.steps;
}

// A warp issues groups of 500 cycles in rows 0 and 1. In rows 2 and 3, the body of a loop, it waits
// for one and issues one.
TEST(CopyGroups, TheNetWaitsForAsManyAsLanded) {
  const auto with = [](std::int64_t first, std::int64_t second) {
    return ParameterValues{{"K", {5}},
                           {"Q", {1}},
                           {"next", {1, 2, 3, -1, -1}},
                           {"turn", {-1, -1, -1, 0, -1}},
                           {"trips", {3}},
                           {"body", {2}},
                           {"next_after", {4}},
                           {"turn_after", {-1}},
                           {"port", {1, 1, 1, 1, 0}},
                           {"latency", {500, 500, 500, 500, 0}},
                           {"groups", {first, second, 1, 1, 0}},
                           {"awaited", {0, 0, 1, 1, first + second}},
                           {"waits", {0, 0, 2, 2, 2}}};
  };
  EXPECT_NEAR(static_cast<double>(steps(with(1, 0))), 7 * 500, 100);
  EXPECT_NEAR(static_cast<double>(steps(with(1, 1))), 4 * 500, 100) << "two at a time";
  steps(with(0, 0), Outcome::kDead);
}

// A warp alone waits for latencies: the more groups are in flight, the less.
TEST(CopyGroups, MoreGroupsInFlightHideMoreOfTheLatency) {
  const auto predicted = [](int left, const Heuristics& heuristics = {}) {
    std::vector<ProgramItem> program{item(0)};
    for (int i = 0; i <= left; ++i) program.push_back(item(1));
    for (const ProgramItem& next : {item(2), loop(60, {item(1), item(2)}), item(4), item(5)})
      program.push_back(next);
    Launch launch = copying(program, left);
    launch.counters["l2_read_sectors"] = 132 * 32 * 70;
    ParameterValues values =
        sm_parameters(launch, test::h200(), FirstBlocks::kInTheirOrder, heuristics);
    values["S"] = {4};
    return static_cast<double>(steps(values));
  };
  EXPECT_LT(predicted(2), 0.8 * predicted(1));
  EXPECT_LT(predicted(4), 0.8 * predicted(2));
  const Heuristics without = Heuristics{}.without(Heuristic::kCopyGroups);
  EXPECT_NE(predicted(2), predicted(2, without));
}

}  // namespace
}  // namespace pnsim
