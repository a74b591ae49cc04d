// Replicas in SIMD registers compared with the reference engine and FastRunner: whole runs with all
// counts, on random nets of lanes and on the paper's net.
#include "simulator/engine/simd_replicas.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/engine/cuda/replica_program.h"
#include "simulator/engine/run.h"
#include "simulator/engine/simd/simd_run.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_file.h"
#include "tests/engine/compare_lanes.h"
#include "tests/engine/same_run.h"
#include "tests/support/random_lanes.h"
#include "tests/support/random_rounds.h"

namespace pnsim {
namespace {

using test::expect_same_run;

struct SimdTally {
  std::uint64_t nets = 0, fit = 0, runs = 0, left = 0;
};

// The first replica by the reference engine, the others by FastRunner.
RunResult expected_run(const Net& net, FastRunner& runner, RunId id, std::uint64_t max_steps,
                       bool by_reference, ConflictLog* log) {
  return by_reference ? run_reference(net, id, max_steps, log) : runner.run(id, max_steps, log);
}

void compare_runs(const Net& net, const SimdReplicas& replicas,
                  const SimdReplicas::Request& request, SimdTally& tally) {
  FastRunner runner(net);
  ConflictLog found_log(net), expected_log(net);
  const bool names_match = runner.names_match();
  const SimdReplicas::Runs found = replicas.run(request, names_match ? &found_log : nullptr);
  ASSERT_EQ(found.runs.size(), request.count);
  tally.runs += request.count;
  tally.left += found.left.size();
  for (std::uint32_t i = 0; i < request.count && !testing::Test::HasFailure(); ++i) {
    if (std::find(found.left.begin(), found.left.end(), i) != found.left.end()) continue;
    const RunId id{request.seed, request.first + i, request.stream};
    RunResult expected = expected_run(net, runner, id, request.max_steps, i < 1, &expected_log);
    if (i >= request.kept) expected.final_marking = {};
    expect_same_run(found.runs[i], expected, net.name() + " run " + std::to_string(i));
  }
  if (names_match) test::expect_same_conflicts(found_log, expected_log, net.name());
}

void compare_net(const Net& net, std::uint64_t seed, std::uint64_t max_steps, std::uint32_t count,
                 SimdTally& tally) {
  ++tally.nets;
  const FastRunner runner(net);
  const SimdReplicas replicas(runner);
  if (!replicas.why_not().empty()) return;
  ++tally.fit;
  SimdReplicas::Request request{.seed = seed,
                                .stream = 1,
                                .first = 3,
                                .count = count,
                                .max_steps = max_steps,
                                .kept = count - 1};
  compare_runs(net, replicas, request, tally);
  request.avx2_only = true;
  compare_runs(net, replicas, request, tally);
}

class SimdReplicasTest : public testing::Test {
 protected:
  void SetUp() override {
    if (best_simd() == SimdKind::kNone) GTEST_SKIP() << "neither AVX2 nor AVX-512";
  }
};

Net paper_net(const std::string& name, const ParameterValues& overrides) {
  return instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"), overrides);
}

TEST_F(SimdReplicasTest, RandomNetsWhoseLanesGoRoundRunAsTheReference) {
  SimdTally tally;
  for (std::uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    compare_net(test::random_rounds(seed), seed, 20'000, 75, tally);
  }
  RecordProperty("fit", static_cast<int>(tally.fit));
  EXPECT_GT(tally.fit, 20u) << "too few nets fit to say anything";
  EXPECT_GT(tally.runs, 9 * tally.left);
}

TEST_F(SimdReplicasTest, RandomNetsOfLanesOfWhichSomeFitRunAsTheReference) {
  SimdTally tally;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    compare_net(test::random_lanes(seed), seed, 300, 5, tally);
  }
  EXPECT_GT(tally.fit, 15u);
}

TEST_F(SimdReplicasTest, ThePapersNetRunsAsTheFastEngineWith2To64Warps) {
  for (const std::int64_t warps : {2, 3, 16, 31, 32, 33, 63, 64}) {
    for (const std::int64_t l1 : {0, 1, 20}) {
      for (const std::int64_t schedulers : {1, 3, 9}) {
        SimdTally tally;
        const Net net = paper_net("wpnm", {{"W", {warps}},
                                           {"l1", {l1}},
                                           {"xa", {4}},
                                           {"xs", {3}},
                                           {"xg", {2}},
                                           {"S", {schedulers}}});
        compare_net(net, 7, kDefaultMaxSteps, 70, tally);
        EXPECT_EQ(tally.fit, 1u) << warps;
        EXPECT_EQ(tally.left, 0u) << warps << " " << l1;
      }
    }
  }
}

TEST_F(SimdReplicasTest, UnequalWarpsAndLongLatencies) {
  SimdTally tally;
  compare_net(paper_net("wpnm", {{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}}), 3,
              9000, 40, tally);
  compare_net(paper_net("wpnm", {{"W", {40}}, {"xa", {3}}, {"xg", {2}}, {"l1", {60}}}), 4, 9000, 40,
              tally);
  compare_net(paper_net("wpnm", {{"W", {64}}, {"xa", {2}}, {"xs", {1}}, {"xg", {1}}, {"l1", {17}}}),
              5, 9000, 40, tally);
  EXPECT_EQ(tally.fit, 3u);
  EXPECT_EQ(tally.left, 0u);
}

TEST_F(SimdReplicasTest, RunsThatALimitCutsAmidInstructionsAreLeft) {
  SimdTally tally;
  compare_net(paper_net("wpnm", {{"W", {9}}}), 3, 20, 40, tally);
  EXPECT_EQ(tally.left, tally.runs);
}

TEST_F(SimdReplicasTest, TakesNetsFromPnml) {
  SimdTally tally;
  for (const std::string name :
       {"wpnm_2w", "wpnm_16w", "wpnm_16w_s8", "wpnm_template_3w", "wpnm_unequal_3w"}) {
    const std::string path = std::string(PNSIM_TEST_DATA) + "/vectors/" + name + ".pnml";
    compare_net(load_net_file(path).net, 3, 5000, 33, tally);
  }
  EXPECT_EQ(tally.fit, 5u);
  EXPECT_EQ(tally.left, 0u);
}

TEST_F(SimdReplicasTest, SaysInWordsWhyANetDoesNotFit) {
  const auto why = [](const Net& net) { return SimdReplicas(FastRunner(net)).why_not(); };
  EXPECT_EQ(why(paper_net("wpnm", {{"W", {1}}})), "found no replicated parts");
  EXPECT_EQ(why(paper_net("wpnm", {{"W", {65}}})),
            "more than 64 lanes, or more than one class of waiting lanes");
  EXPECT_EQ(why(paper_net("wpnm", {{"xa", {1 << 30}}})), "counters of a lane are too large");
  EXPECT_EQ(why(paper_net("wpnm_literal", {})),
            "the next step of a lane depends on more than one wait or draw");
  EXPECT_EQ(why(paper_net("wpnm", {})), "");
}

}  // namespace
}  // namespace pnsim
