// Runs that skip blocks, compared with the runs of all blocks.
#include "simulator/engine/steady_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/run.h"
#include "simulator/net/net_builder.h"
#include "tests/engine/same_run.h"

namespace pnsim {
namespace {

// Blocks wait, start in a free slot, run for some steps and end. The work that each block leaves
// behind has a dedicated server, which takes `serves` steps for it. The run ends after that work.
struct BlockNet {
  Net net;
  AlikeBlocks alike;
};

BlockNet block_net(std::int64_t blocks, const std::vector<Tokens>& lives, Tokens serves) {
  NetBuilder builder("blocks");
  const PlaceId waiting = builder.add_place("waiting", blocks),
                unfinished = builder.add_place("unfinished", blocks);
  const PlaceId debt = builder.add_place("debt"), server = builder.add_place("server", 1);
  const PlaceId serving = builder.add_place("serving"), hold = builder.add_place("hold");
  const auto ticks = [&](const std::string& name, PlaceId p) {
    builder.add_input(builder.add_transition(name), p);
  };
  for (std::size_t s = 0; s < lives.size(); ++s) {
    const std::string i = std::to_string(s);
    const PlaceId slot = builder.add_place("slot" + i, 1),
                  lives_on = builder.add_place("lives" + i);
    const PlaceId life = builder.add_place("life" + i);
    const TransitionId begin = builder.add_transition("begin" + i),
                       end = builder.add_transition("end" + i);
    builder.add_input(begin, waiting);
    builder.add_input(begin, slot);
    builder.add_output(begin, lives_on);
    builder.add_output(begin, life, lives[s]);
    builder.add_output(begin, debt);
    ticks("tick" + i, life);
    builder.add_input(end, lives_on);
    builder.add_input(end, unfinished);
    builder.add_inhibitor(end, life);
    builder.add_output(end, slot);
  }
  const TransitionId serve = builder.add_transition("serve"), done = builder.add_transition("done");
  builder.add_input(serve, debt);
  builder.add_input(serve, server);
  builder.add_output(serve, serving);
  builder.add_output(serve, hold, serves);
  ticks("tick", hold);
  builder.add_input(done, serving);
  builder.add_inhibitor(done, hold);
  builder.add_output(done, server);
  builder.set_goal({unfinished, debt, serving});
  return {builder.build(),
          {{waiting, unfinished},
           {debt, serving},
           blocks,
           static_cast<std::int64_t>(lives.size()),
           0.005}};
}

TEST(SteadyBlocks, ThatBeginAtASteadyPaceAreSkipped) {
  for (const std::int64_t blocks : {600, 601, 602, 603, 1000}) {
    const auto [net, alike] = block_net(blocks, {30, 30, 30, 30}, 2);
    const RunResult all = run_incremental(net, {});
    const RunResult some = run_incremental(net, {}, kDefaultMaxSteps, nullptr, alike);
    EXPECT_GT(some.blocks_left_out, blocks / 2);
    EXPECT_NEAR(static_cast<double>(some.steps) / static_cast<double>(all.steps), 1,
                some.left_out_error);
    if (blocks % 4 == 0) {
      EXPECT_EQ(some.steps, all.steps) << "whole rounds of alike blocks";
    }
    EXPECT_NEAR(static_cast<double>(some.firings) / static_cast<double>(all.firings), 1, 0.01);
    EXPECT_GT(some.left_out_error, 0) << "the ends may differ";
    EXPECT_LE(some.left_out_error, 0.005);
  }
}

TEST(SteadyBlocks, FewBlocksAreAllRun) {
  const auto [net, alike] = block_net(60, {30, 30}, 2);
  const RunResult some = run_incremental(net, {}, kDefaultMaxSteps, nullptr, alike);
  EXPECT_EQ(some.blocks_left_out, 0);
  EXPECT_EQ(some.left_out_error, 0);
  test::expect_same_run(some, run_incremental(net, {}), "all");
}

// The rate is steady once the slow blocks at the start no longer matter: after three times as many.
TEST(SteadyBlocks, AreNotSkippedWhenFewAreLeft) {
  // The number of removed blocks, and the number of blocks started until then.
  const auto run_of = [](std::int64_t blocks) {
    const AlikeBlocks alike{{PlaceId{0}}, {}, blocks, 1, 0.005};
    SteadyBlocks watch(alike);
    RunResult so_far;
    std::int64_t taken = 0, begun = 0;
    while (begun < blocks && taken == 0) {
      ++begun;
      so_far.steps +=
          static_cast<std::uint64_t>(100 + std::max<std::int64_t>(2 * (120 - begun), 0));
      taken = watch.blocks_to_remove({blocks - begun}, so_far);
    }
    return std::pair{taken, begun};
  };
  EXPECT_EQ(run_of(390).first, 0);
  EXPECT_GT(run_of(1000).first, 400);
  std::int64_t blocks = 390;
  while (run_of(blocks).first == 0) ++blocks;
  const auto [taken, begun] = run_of(blocks);
  EXPECT_GE(8 * taken, begun - 8) << "at least an eighth of " << begun;
  EXPECT_LE(8 * taken, begun + 8) << "and no more are required";
}

// Both engines remove the same blocks at the same step, also when slots have different rates. The
// error bound does not cover the ends of different slots.
TEST(SteadyBlocks, BothEnginesLeaveOutTheSame) {
  std::int64_t left_out = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Tokens> lives(1 + random() % 5);
    const auto any_life = [&] { return static_cast<Tokens>(5 + random() % 20); };
    const bool are_alike = seed % 2 == 0;
    lives[0] = any_life();
    for (Tokens& life : lives) life = are_alike ? lives[0] : any_life();
    const auto [net, alike] = block_net(static_cast<std::int64_t>(400 + random() % 400), lives, 1);
    const RunId id{.seed = seed};
    ConflictLog found(net), expected(net), of_all(net);
    const RunResult fast = run_incremental(net, id, kDefaultMaxSteps, &found, alike);
    const RunResult reference = run_reference(net, id, kDefaultMaxSteps, &expected, alike);
    const RunResult all = run_reference(net, id, kDefaultMaxSteps, &of_all);
    test::expect_same_run(fast, reference, std::to_string(seed));
    EXPECT_EQ(fast.blocks_left_out, reference.blocks_left_out);
    EXPECT_EQ(fast.left_out_error, reference.left_out_error);
    EXPECT_EQ(found.counts().size(), expected.counts().size());
    EXPECT_NEAR(static_cast<double>(fast.steps) / static_cast<double>(all.steps), 1,
                are_alike ? 0.005 : 0.01);
    left_out += fast.blocks_left_out;
  }
  EXPECT_GT(left_out, 1000) << "too few to say anything";
}

// The rate of block starts is steady, but the server falls behind. Only the end of the run shows
// how long its backlog takes.
TEST(SteadyBlocks, ThatLeaveWorkBehindAreAllRun) {
  const auto [net, alike] = block_net(500, {30, 30, 30, 30}, 40);
  ConflictLog found(net), expected(net);
  const RunResult some = run_incremental(net, {}, kDefaultMaxSteps, &found, alike);
  EXPECT_EQ(some.blocks_left_out, 0);
  test::expect_same_run(some, run_incremental(net, {}, kDefaultMaxSteps, &expected), "all");
  ASSERT_EQ(found.counts().size(), expected.counts().size());
  for (std::size_t i = 0; i < found.counts().size(); ++i) {
    EXPECT_EQ(found.counts()[i].second.times, expected.counts()[i].second.times)
        << "each conflict once";
  }
}

// The service is slightly slower or faster than the block starts. The backlog is detected once it
// is one token.
TEST(SteadyBlocks, ThatLeaveALittleBehindBringLittleError) {
  std::int64_t left_out = 0;
  for (const std::int64_t blocks : {400, 2000}) {
    for (Tokens serves = 90; serves <= 110; ++serves) {
      const auto [net, alike] = block_net(blocks, {400, 400, 400, 400}, serves);
      const RunResult some = run_incremental(net, {}, kDefaultMaxSteps, nullptr, alike);
      const auto all = static_cast<double>(run_incremental(net, {}).steps);
      EXPECT_LE(std::abs(static_cast<double>(some.steps) / all - 1), 0.005)
          << serves << " of " << blocks << ": " << some.steps << " " << all << " "
          << some.blocks_left_out;
      left_out += some.blocks_left_out;
    }
  }
  EXPECT_GT(left_out, 1000) << "too few to say anything";
}

// Blocks with random durations in four slots: how often the steps exceed the bound.
TEST(SteadyBlocks, RandomPacesAreMostlyWithinTheBound) {
  int left_out = 0, beyond = 0;
  double worst = 0;
  for (int seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::lognormal_distribution<double> life(5, 0.02 * static_cast<double>(1 + seed % 8));
    const AlikeBlocks alike{{PlaceId{0}}, {}, 2000, 4, 0.005};
    std::vector<double> lives(2000);
    for (double& l : lives) l = life(random);
    const auto makespan = [&](std::int64_t blocks, SteadyBlocks* watch, RunResult& so_far) {
      std::array<double, 4> free{};
      double end = 0;
      for (std::int64_t b = 0; b < blocks; ++b) {
        double& slot = *std::min_element(free.begin(), free.end());
        so_far.steps = static_cast<std::uint64_t>(slot);
        slot += lives[static_cast<std::size_t>(b)];
        end = std::max(end, slot);
        if (watch == nullptr) continue;
        const std::int64_t taken = watch->blocks_to_remove({alike.blocks - b - 1}, so_far);
        if (taken > 0) blocks -= taken;
      }
      so_far.steps = static_cast<std::uint64_t>(end);
      return alike.blocks - blocks;
    };
    RunResult all, some;
    makespan(alike.blocks, nullptr, all);
    SteadyBlocks watch(alike);
    some.outcome = Outcome::kGoal;
    if (makespan(alike.blocks, &watch, some) == 0 || !watch.may_extend(some, kDefaultMaxSteps))
      continue;
    watch.extend(some);
    const double error =
        std::abs(static_cast<double>(some.steps) / static_cast<double>(all.steps) - 1);
    ++left_out;
    beyond += error > some.left_out_error ? 1 : 0;
    worst = std::max(worst, error);
  }
  EXPECT_GT(left_out, 150);
  EXPECT_LT(beyond, left_out / 10) << "of " << left_out;
  EXPECT_LT(worst, 0.015);
}

TEST(SteadyBlocks, AreAllRunWhereStepsAreLimited) {
  const auto [net, alike] = block_net(1000, {30, 30, 30, 30}, 2);
  const RunResult some = run_incremental(net, {}, 5000, nullptr, alike);
  EXPECT_EQ(some.outcome, Outcome::kLimit);
  EXPECT_EQ(some.steps, 5000u);
}

// The number of blocks started when some are removed, of 10,000 in two slots; 0: none is removed.
template <class PaceOf>
std::int64_t begun_when_removed(const PaceOf& pace_of) {
  const AlikeBlocks alike{{PlaceId{0}}, {}, 10'000, 2, 0.005};
  SteadyBlocks blocks(alike);
  RunResult so_far;
  for (std::int64_t begun = 1; begun <= alike.blocks; ++begun) {
    so_far.steps += static_cast<std::uint64_t>(pace_of(begun));
    if (const std::int64_t taken = blocks.blocks_to_remove({alike.blocks - begun}, so_far);
        taken > 0) {
      EXPECT_EQ(taken, (alike.blocks - begun) / 2 * 2) << "whole rounds";
      return begun;
    }
  }
  return 0;
}

TEST(SteadyBlocks, AreThoseOfAnEvenPace) {
  EXPECT_EQ(begun_when_removed([](std::int64_t) { return 100; }), 74) << "at the second look";
  // Bursts of two blocks.
  EXPECT_EQ(begun_when_removed([](std::int64_t b) { return b % 2 == 0 ? 1 : 199; }), 74);
  // Increasingly slow blocks.
  EXPECT_EQ(begun_when_removed([](std::int64_t b) { return 100 + b; }), 0);
  // Slow blocks at the start, which the windows must exclude.
  const std::int64_t after = begun_when_removed([](std::int64_t b) { return b < 50 ? 150 : 100; });
  EXPECT_GT(after, 100);
  EXPECT_LT(after, 300);
}

}  // namespace
}  // namespace pnsim
