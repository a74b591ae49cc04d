// Tests predict(): waves, streams and sums against single runs, with any number of threads. The
// preset `threads` builds this with ThreadSanitizer.
#include "simulator/analysis/predict/predict.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/base/stats.h"
#include "simulator/engine/run.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

// 2 SMs and 7 blocks of 2 warps, 3 resident: the busiest SM has 4 blocks, a full wave and a tail.
Launch toy_launch(const std::string& kernel, std::int64_t repeat, InstructionCounts counts) {
  Launch launch;
  launch.kernel = kernel;
  launch.repeat = repeat;
  launch.grid = 7;
  launch.block = 64;
  launch.resident_blocks = 3;
  ProgramItem segment;
  segment.counts = counts;
  launch.warp_kinds = {{14, {segment}}};
  return launch;
}

struct Toy {
  KernelModel model;
  NetTemplate net = load_net_template(data_root() + "/models/nets/wpnm.json");
  DeviceProfile device;

  Toy() {
    model.name = "toy";
    model.problem = {{"n", 1}};
    model.parameters = {{"l1", {5}}};
    model.points = {
        {{{"n", 1}}, {toy_launch("first", 3, {4, 1, 2}), toy_launch("second", 2, {1, 0, 1})}}};
    device.name = "toy";
    device.facts["sms"].value = 2;
    device.facts["schedulers_per_sm"].value = 2;
  }

  PointRequest request() const { return {&model, &net, &device, &model.points[0], {}, {}}; }

  // Simulates one wave directly: `warps` warps with these counts.
  RunResult wave(std::int64_t warps, InstructionCounts counts, std::uint32_t stream,
                 std::uint32_t replica = 0) const {
    const Net wave_net = instantiate(net, {{"W", {warps}},
                                           {"S", {2}},
                                           {"l1", {5}},
                                           {"xa", {counts.arithmetic}},
                                           {"xs", {counts.shared}},
                                           {"xg", {counts.global}}});
    return run_reference(wave_net, {.seed = 1, .replica = replica, .stream = stream});
  }
};

TEST(Predict, MoreResidentBlocksThanAnSmHasRoomForAreRefused) {
  Toy toy;
  toy.model.device = "toy";
  const std::pair<const char*, double> limits[] = {
      {"max_threads_per_block", 1024}, {"max_blocks_per_sm", 32},
      {"max_warps_per_sm", 64},        {"registers_per_sm", 65536},
      {"shared_bytes_per_sm", 65536},  {"reserved_shared_bytes_per_block", 1024}};
  for (const auto& [fact, value] : limits) toy.device.facts[fact].value = value;
  RunOptions options;
  options.threads = 1;
  EXPECT_NO_THROW(predict({toy.request()}, options));
  Launch& launch = toy.model.points[0].launches[1];
  const auto refused = [&](const std::string& of_block) {
    const std::string error =
        test::error_of(ExitCode::kBadInput, [&] { predict({toy.request()}, options); });
    EXPECT_EQ(error, "kernel second: found " + of_block +
                         " on an SM of toy; derive the model anew: pnsim derive");
  };
  launch.resident_blocks = 33;
  refused(
      "33 resident blocks of 64 threads with 0 registers each and 0 bytes of shared memory, "
      "expected at most 32");
  launch.resident_blocks = 3;
  launch.shared_bytes = 40'000;
  refused(
      "3 resident blocks of 64 threads with 0 registers each and 40000 bytes of shared memory, "
      "expected at most 1");
}

double number(std::uint64_t value) { return static_cast<double>(value); }

// Profiled on "toy" with 3 resident blocks. On a device with known limits the limits decide.
TEST(Predict, OnAnotherDeviceItsOwnResidentBlocksMakeTheWaves) {
  const Toy toy;
  DeviceProfile other = toy.device;
  other.name = "other";
  PointRequest request = toy.request();
  request.device = &other;
  KernelModel model = toy.model;
  model.device = "toy";
  request.model = &model;
  EXPECT_EQ(predict({request}, {}).front().launches[0].warps, 6) << "no limits: as profiled";
  for (const char* fact :
       {"max_threads_per_block", "max_warps_per_sm", "registers_per_sm", "shared_bytes_per_sm"}) {
    other.facts[fact].value = 2048;
  }
  other.facts["max_blocks_per_sm"].value = 2;
  other.facts["reserved_shared_bytes_per_block"].value = 0;
  const Prediction found = predict({request}, {}).front();
  EXPECT_EQ(found.launches[0].warps, 4);
  EXPECT_EQ(found.launches[0].full_waves, 2);
}

TEST(Predict, AddsUpFullWavesAndTailsOfTheBusiestSm) {
  const Toy toy;
  const Prediction found = predict({toy.request()}, {}).front();
  ASSERT_EQ(found.launches.size(), 2u);
  EXPECT_EQ(found.launches[0].full_waves, 1);
  EXPECT_TRUE(found.launches[0].has_tail);
  const RunResult full = toy.wave(6, {4, 1, 2}, 0), tail = toy.wave(2, {4, 1, 2}, 1);
  EXPECT_EQ(found.launches[0].steps[0], number(full.steps + tail.steps));
  EXPECT_EQ(found.launches[0].firings[0], number(full.firings + tail.firings));
  const RunResult full2 = toy.wave(6, {1, 0, 1}, 2), tail2 = toy.wave(2, {1, 0, 1}, 3);
  EXPECT_EQ(found.launches[1].steps[0], number(full2.steps + tail2.steps));
  EXPECT_EQ(found.steps[0],
            number(3 * (full.steps + tail.steps) + 2 * (full2.steps + tail2.steps)));
  EXPECT_EQ(found.outcome, Outcome::kGoal);
}

TEST(Predict, ReplicasAreRunsOfTheirOwn) {
  const Toy toy;
  const Prediction found = predict({toy.request()}, {.replicas = 4}).front();
  ASSERT_EQ(found.steps.size(), 4u);
  for (std::uint32_t r = 0; r < 4; ++r) {
    EXPECT_EQ(found.launches[1].steps[r],
              number(toy.wave(6, {1, 0, 1}, 2, r).steps + toy.wave(2, {1, 0, 1}, 3, r).steps));
  }
  EXPECT_DOUBLE_EQ(found.mean_steps(), mean(found.steps));
}

TEST(Predict, ASettingOfTheRequestWinsOverTheModels) {
  const Toy toy;
  PointRequest slow = toy.request();
  slow.net_parameters = {{"l1", {50}}};
  const std::vector<Prediction> found = predict({toy.request(), slow}, {});
  EXPECT_EQ(found[0].net_parameters.at("l1"), std::vector<std::int64_t>{5});
  EXPECT_EQ(found[0].net_parameters.at("S"), std::vector<std::int64_t>{2}) << "the device's";
  EXPECT_EQ(found[1].net_parameters.at("l1"), std::vector<std::int64_t>{50});
  EXPECT_GT(found[1].steps[0], found[0].steps[0]);
}

TEST(Predict, GivesTheSameOnAnyNumberOfThreads) {
  const Toy toy;
  std::vector<PointRequest> requests(6, toy.request());
  for (std::int64_t i = 0; i < 6; ++i)
    requests[static_cast<std::size_t>(i)].net_parameters["l1"] = {i};
  RunOptions options{.replicas = 3};
  options.log_conflicts = true;
  options.threads = 1;
  const std::vector<Prediction> alone = predict(requests, options);
  for (const unsigned threads : {2u, 5u}) {
    options.threads = threads;
    const std::vector<Prediction> found = predict(requests, options);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(found[i].steps, alone[i].steps);
      EXPECT_EQ(found[i].firings, alone[i].firings);
      ASSERT_EQ(found[i].conflicts.size(), alone[i].conflicts.size());
      for (std::size_t c = 0; c < found[i].conflicts.size(); ++c) {
        EXPECT_EQ(found[i].conflicts[c].second.won, alone[i].conflicts[c].second.won);
      }
    }
  }
}

TEST(Replicas, GiveTheSameOnAnyNumberOfThreads) {
  const Toy toy;
  const Net net = instantiate(toy.net, {{"W", {5}}, {"xa", {3}}});
  RunOptions options{.replicas = 9};
  options.threads = 1;
  const ReplicaRuns alone = run_replicas(net, options);
  options.threads = 4;
  const ReplicaRuns found = run_replicas(net, options);
  for (std::size_t r = 0; r < 9; ++r) {
    EXPECT_EQ(found.runs[r].id.replica, r);
    EXPECT_EQ(found.runs[r].steps, alone.runs[r].steps);
    EXPECT_EQ(found.runs[r].final_marking, alone.runs[r].final_marking);
  }
}

TEST(Replicas, TheWorstOutcomeOfAllIsReported) {
  const Toy toy;
  const Net net = instantiate(toy.net, {{"W", {5}}, {"xa", {3}}});
  const ReplicaRuns all = run_replicas(net, {.replicas = 8});
  std::uint64_t shortest = all.runs[0].steps, longest = all.runs[0].steps;
  for (const RunResult& run : all.runs) {
    shortest = std::min(shortest, run.steps);
    longest = std::max(longest, run.steps);
  }
  ASSERT_LT(shortest, longest);
  RunOptions options{.replicas = 8};
  options.max_steps = longest - 1;
  EXPECT_EQ(run_replicas(net, options).outcome, Outcome::kLimit);
  options.max_steps = longest;
  EXPECT_EQ(run_replicas(net, options).outcome, Outcome::kGoal);
}

}  // namespace
}  // namespace pnsim
