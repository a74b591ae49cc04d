// Programs of a warp as rows of the net: which segments are joined, and which rows are shared.
#include "simulator/model/sm/warp_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "simulator/base/error.h"
#include "simulator/model/cost/issue_pipes.h"
#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

ProgramItem times(std::int64_t repeat, std::vector<ProgramItem> body) {
  return {repeat, {}, std::move(body)};
}

enum : std::size_t { kLoad, kCompute, kUse, kBarrier, kLong };

// A launch with the segments of the enum and, for each program, one block of one warp.
Launch launch_of(const std::vector<std::vector<ProgramItem>>& programs) {
  Launch launch;
  launch.kernel = "toy";
  launch.block = 32;
  launch.grid = static_cast<std::int64_t>(programs.size());
  Segment use = arithmetic(2, 0), barrier = arithmetic(1, 0), of_many = arithmetic(60, 60);
  use.waits_for = {LateResult::kGlobal};
  barrier.end = SegmentEnd::kBarrier;
  launch.segments = {load_of_lines(4), arithmetic(3, 3), use, barrier, of_many};
  for (const auto& program : programs) {
    launch.warp_kinds.push_back({1, program});
    launch.block_kinds.push_back({1, {{launch.warp_kinds.size() - 1, 1}}});
  }
  return launch;
}

// The rows of one warp that executes the programs one after the other.
struct Made {
  explicit Made(const std::vector<std::vector<ProgramItem>>& programs,
                std::int64_t extra_barriers = 0)
      : launch(launch_of(programs)),
        model(h200(), launch, 1),
        costs(launch.kernel, programs, costs_of(model)) {
    for (std::size_t k = 0; k < programs.size(); ++k)
      first.push_back(rows.append(costs, k, extra_barriers));
  }
  SegmentCost own(std::size_t segment) { return model.cost(segment); }
  static ProgramCosts costs_of(const CostedLaunch& model) {
    const SmStages& stages = model.stages();
    return {stages.costs,
            [&stages](const InstructionCounts& counts) {
              return counts_cost(counts, stages.inputs(), stages.rates, stages.latencies);
            },
            branch_cycles(stages.facts)};
  }
  const SegmentCost& row(std::size_t i) const { return rows.segments()[i].what; }

  Launch launch;
  CostedLaunch model;
  CostedPrograms costs;
  WarpRows rows;
  std::vector<std::int64_t> first;
};

TEST(WarpRows, ASegmentThatOnlyComputesJoinsTheOneBefore) {
  Made made({{item(kLoad), item(kCompute), item(kCompute)}});
  ASSERT_EQ(made.rows.segments().size(), 1u);
  EXPECT_DOUBLE_EQ(made.row(0).issue, made.own(kLoad).issue + 2 * made.own(kCompute).issue);
  EXPECT_DOUBLE_EQ(made.row(0).work, made.own(kLoad).work + 2 * made.own(kCompute).work);
  EXPECT_DOUBLE_EQ(made.row(0).latency, made.own(kLoad).latency);
  EXPECT_DOUBLE_EQ(made.row(0).memory, made.own(kLoad).memory);
  const auto& parts = made.costs.parts()[made.rows.numbers()[0]];
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].segment, kLoad);
  EXPECT_DOUBLE_EQ(parts[0].work, made.own(kLoad).work);
  EXPECT_EQ(parts[2].segment, kCompute);
  EXPECT_DOUBLE_EQ(parts[2].work, made.own(kCompute).work);
}

TEST(WarpRows, ABarrierAtItsEndJoinsWithItAndNothingJoinsAfter) {
  Made made({{item(kCompute), item(kBarrier), item(kCompute)}});
  ASSERT_EQ(made.rows.segments().size(), 2u);
  const auto& first = made.rows.segments()[static_cast<std::size_t>(made.first[0])];
  EXPECT_TRUE(first.what.joins);
  EXPECT_DOUBLE_EQ(first.what.issue, made.own(kCompute).issue + made.own(kBarrier).issue);
  EXPECT_FALSE(made.rows.segments()[static_cast<std::size_t>(first.next.segment)].what.joins);
}

TEST(WarpRows, LoadsWaitsAndLongSegmentsStayApart) {
  EXPECT_EQ(Made({{item(kCompute), item(kLoad)}}).rows.segments().size(), 2u)
      << "it would load too early";
  EXPECT_EQ(Made({{item(kLoad), item(kUse)}}).rows.segments().size(), 2u) << "it waits";
  EXPECT_EQ(Made({{item(kCompute), item(kLong)}}).rows.segments().size(), 2u)
      << "other warps would wait for it";
  EXPECT_EQ(Made({std::vector<ProgramItem>(100, item(kCompute))}).rows.segments().size(), 20u)
      << "five of six instructions in 32 cycles";
}

TEST(WarpRows, AShortLoopThatOnlyComputesIsASegment) {
  Made made({{item(kLoad), times(3, {item(kCompute)})}});
  ASSERT_EQ(made.rows.segments().size(), 1u);
  EXPECT_TRUE(made.rows.loops().empty());
  EXPECT_NEAR(made.row(0).work,
              made.own(kLoad).work + 3 * (made.own(kCompute).work + branch_cycles(h200_facts())),
              1e-9);
  EXPECT_EQ(Made({{times(9, {item(kCompute)})}}).rows.loops().size(), 1u) << "over 32 cycles";
  EXPECT_EQ(Made({{times(3, {item(kLoad)})}}).rows.loops().size(), 1u);
  EXPECT_EQ(Made({{times(3, {item(kBarrier)})}}).rows.loops().size(), 1u);
}

TEST(WarpRows, ProgramsShareWhatTheyEndWith) {
  const ProgramItem loop = times(5, {item(kLoad), item(kUse)});
  Made made({{item(kLoad), item(kUse), loop, item(kLong)}, {item(kLong), loop, item(kLong)}});
  EXPECT_EQ(made.rows.loops().size(), 1u);
  EXPECT_EQ(made.rows.segments().size(), 3u + 2u + 1u) << "the end, two and one before it";
  EXPECT_NE(made.first[0], made.first[1]);
  Made others({{times(5, {item(kLoad), item(kUse)})}, {times(6, {item(kLoad), item(kUse)})}});
  EXPECT_EQ(others.rows.loops().size(), 2u) << "not as often";
  Made more({{item(kLong)}, {item(kLong)}}, 4);
  EXPECT_EQ(more.rows.segments().size(), 2u) << "one program, one loop of barriers";
}

TEST(WarpRows, ProgramsOfCountsAloneAreNeverTheSame) {
  const auto counts = [](std::int64_t arithmetic) {
    return ProgramItem{1, {arithmetic, 0, 0}, {}};
  };
  Made made({{times(2, {counts(40)}), times(2, {counts(50)})}});
  EXPECT_EQ(made.rows.loops().size(), 2u);
  EXPECT_NE(made.row(0).issue, made.row(1).issue);
}

TEST(WarpRows, WhatNetsCannotTakeIsRefused) {
  ProgramItem twice = item(kLoad);
  twice.repeat = 2;
  EXPECT_THROW(Made({{twice}}), Error);
  std::vector<ProgramItem> many;
  for (std::size_t i = 0; i <= kMaxProgramRows; ++i) many.push_back(item(kLoad));
  EXPECT_THROW(Made({many}), Error);
}

// The summed cost of a warp that walks the rows, or the program itself.
struct Sum {
  double issue = 0, memory = 0;
  int barriers = 0;
  void add(const SegmentCost& cost) {
    issue += cost.issue;
    memory += cost.memory;
    barriers += cost.joins ? 1 : 0;
  }
};

Sum walked(const WarpRows& rows, std::int64_t first) {
  Sum sum;
  std::vector<std::int64_t> left;
  for (const LoopRow& loop : rows.loops()) left.push_back(loop.trips - 1);
  for (Follower at{first, kNoRow}; at.segment != kNoRow || at.loop != kNoRow;) {
    if (at.segment != kNoRow) {
      const auto& row = rows.segments()[static_cast<std::size_t>(at.segment)];
      sum.add(row.what);
      at = row.next;
      continue;
    }
    const LoopRow& loop = rows.loops()[static_cast<std::size_t>(at.loop)];
    std::int64_t& iterations = left[static_cast<std::size_t>(at.loop)];
    if (iterations-- > 0) {
      at = {loop.body, kNoRow};
    } else {
      iterations = loop.trips - 1;
      at = loop.next;
    }
  }
  return sum;
}

void add_program(const std::vector<ProgramItem>& items, const CostedLaunch& model, Sum& sum) {
  for (const ProgramItem& i : items) {
    for (std::int64_t turn = 0; turn < i.repeat; ++turn) {
      if (i.segment) sum.add(model.cost(*i.segment));
      add_program(i.body, model, sum);
    }
  }
}

std::vector<ProgramItem> random_program(std::mt19937_64& random, int depth) {
  std::vector<ProgramItem> out;
  for (std::size_t i = 0, size = 1 + random() % 5; i < size; ++i) {
    if (depth > 0 && random() % 3 == 0) {
      out.push_back(
          times(static_cast<std::int64_t>(random() % 4), random_program(random, depth - 1)));
    } else {
      out.push_back(item(random() % 5));
    }
  }
  return out;
}

TEST(WarpRows, RandomProgramsTakeWhatTheyTook) {
  std::size_t written = 0, rows = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const Made made(
        {random_program(random, 3), random_program(random, 3), random_program(random, 2)});
    for (std::size_t k = 0; k < made.first.size(); ++k) {
      Sum expected;
      add_program(made.launch.warp_kinds[k].program, made.model, expected);
      const Sum found = walked(made.rows, made.first[k]);
      const double of_nothing = expected.issue == 0 ? 1 : 0;  // an empty program is one cycle
      EXPECT_NEAR(found.issue, expected.issue + of_nothing, 1e-6) << seed;
      EXPECT_NEAR(found.memory, expected.memory, 1e-6) << seed;
      EXPECT_EQ(found.barriers, expected.barriers) << seed;
      written += made.launch.warp_kinds[k].program.size();
    }
    rows += made.rows.segments().size();
  }
  EXPECT_GT(written, 1000u) << "too little to say anything";
  EXPECT_GT(rows, 1000u) << "too little to say anything";
}

}  // namespace
}  // namespace pnsim
