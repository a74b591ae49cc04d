// Tests what-if changes: only a change of what a launch waits for makes it faster.
#include "simulator/analysis/questions/what_if.h"

#include <gtest/gtest.h>

#include <map>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

using test::h200;
using test::sm_net;

Segment segment(const char* cls, std::int64_t count, SegmentEnd end) {
  Segment out;
  out.classes = {{cls, count}};
  out.end = end;
  return out;
}

// Blocks of 8 warps on full SMs, which execute the segments 20 times.
KernelModel model_of(const std::vector<Segment>& segments) {
  Launch launch;
  launch.kernel = "toy";
  launch.grid = 132 * 8;
  launch.block = 256;
  launch.resident_blocks = 8;
  launch.segments = segments;
  ProgramItem loop;
  loop.repeat = 20;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    ProgramItem item;
    item.segment = s;
    loop.body.push_back(item);
  }
  launch.warp_kinds = {{launch.grid * 8, {loop}}};
  KernelModel model;
  model.name = "toy";
  model.problem = {{"n", 1}, {"block", 256}};
  model.points = {{model.problem, {launch}}};
  return model;
}

constexpr ReplicaRule kOneReplica{1, 1};

std::map<std::string, double> changes(const KernelModel& model) {
  const WhatIfReport report =
      what_if({&model, &sm_net(), &h200(), &model.points[0], {}, {}}, RunOptions{}, kOneReplica);
  std::map<std::string, double> out;
  for (const WhatIfRow& row : report.rows) out[row.what] = row.point.change.value();
  EXPECT_TRUE(std::is_sorted(
      report.rows.begin(), report.rows.end(),
      [](const auto& a, const auto& b) { return a.point.time_us < b.point.time_us; }));
  return out;
}

TEST(WhatIf, ArithmeticIsHelpedByLessOfIt) {
  const auto change = changes(model_of({segment("fp32", 100, SegmentEnd::kEdge)}));
  EXPECT_LT(change.at("half the arithmetic instructions"), -0.4);
  EXPECT_LT(change.at("no launch overhead"), 0);
  EXPECT_EQ(change.at("twice the L2 bandwidth"), 0);
  EXPECT_EQ(change.at("no barriers"), 0);
}

// The profile counts more waits than the code has dependences: they go with these.
TEST(WhatIf, CountedWaitsAreHalvedAndDroppedWithTheArithmetic) {
  Segment chain = segment("fp32", 100, SegmentEnd::kEdge);
  chain.distances = {20, 0, 0};
  KernelModel model = model_of({chain});
  Launch& launch = model.points[0].launches[0];
  launch.block = 32;
  launch.resident_blocks = 1;
  launch.warp_kinds[0].warps = launch.grid;
  const auto uncounted = changes(model);
  launch.counters = {{"issued_instructions", 100 * 20 * launch.grid},
                     {"fixed_wait_cycles", 3 * 100 * 20 * launch.grid}};
  const auto counted = changes(model);
  EXPECT_LT(counted.at("half the arithmetic instructions"),
            uncounted.at("half the arithmetic instructions"));
  EXPECT_LT(counted.at("no arithmetic dependences"),
            uncounted.at("no arithmetic dependences") - 0.1);
}

TEST(WhatIf, BandwidthHelpsWhomItHoldsUp) {
  Segment load = segment("global_load", 4, SegmentEnd::kLoad),
          use = segment("fp32", 4, SegmentEnd::kEdge);
  load.accesses = {{"global_load", 4, 4, 128, 32, 0, 32}};  // one sector per lane, 8 lines
  use.waits_for = {LateResult::kGlobal};
  const auto change = changes(model_of({load, use}));
  EXPECT_LT(change.at("twice the L2 bandwidth"), -0.2);
  EXPECT_LT(change.at("full coalescing"), -0.5);
  EXPECT_NEAR(change.at("no bank conflicts"), 0, 1e-9);
}

TEST(WhatIf, AtomicsHelpWhereTheyAreSpreadAndWhereTheyMeet) {
  Segment add = segment("global_reduction", 1, SegmentEnd::kEdge);
  add.accesses = {{"global_reduction", 1, 4, 32, 32, 0, 32}};
  KernelModel model = model_of({add});
  constexpr std::int64_t kOperations = std::int64_t{132} * 8 * 8 * 20 * 32;
  for (const std::int64_t busiest : {kOperations / 94, kOperations}) {
    model.points[0].launches[0].counters = {{"atomic_operations", kOperations},
                                            {"atomic_operations_busiest", busiest}};
    const auto change = changes(model);
    EXPECT_LT(change.at("twice the atomic throughput"), -0.3) << busiest;
    EXPECT_GT(change.at("full coalescing"), -0.3) << "as many operations as before";
    EXPECT_LT(change.at("full coalescing"), 0.01);
  }
}

TEST(WhatIf, ConflictsCostWhoHasThem) {
  Segment load = segment("shared_load", 4, SegmentEnd::kLoad),
          use = segment("fp32", 4, SegmentEnd::kEdge);
  load.accesses = {{"shared_load", 4, 4, 0, 0, 64, 32}};
  use.waits_for = {LateResult::kShared};
  const auto change = changes(model_of({load, use}));
  EXPECT_LT(change.at("no bank conflicts"), -0.5);
  EXPECT_LT(change.at("twice the shared memory and L1 bandwidth"), -0.3);
}

// The counter of wavefronts includes the bank conflicts.
TEST(WhatIf, ConflictsThatWereCountedAreGoneAsWell) {
  Segment load = segment("shared_load", 4, SegmentEnd::kLoad),
          use = segment("fp32", 4, SegmentEnd::kEdge);
  load.accesses = {{"shared_load", 4, 4, 0, 0, 64, 32}};
  use.waits_for = {LateResult::kShared};
  KernelModel model = model_of({load, use});
  Launch& launch = model.points[0].launches[0];
  std::int64_t warps = 0;
  for (const WarpKind& kind : launch.warp_kinds) warps += kind.warps;
  launch.counters["shared_wavefronts"] = launch.counters["l1_wavefronts"] = 64 * warps;
  EXPECT_NEAR(changes(model).at("no bank conflicts"),
              changes(model_of({load, use})).at("no bank conflicts"), 0.05);
}

TEST(WhatIf, BarriersCostWhoHasThem) {
  const auto change = changes(model_of({segment("fp32", 2, SegmentEnd::kBarrier)}));
  EXPECT_LT(change.at("barriers without cost"), 0);
  EXPECT_LT(change.at("no barriers"), change.at("barriers without cost"));
}

TEST(WhatIf, PointsOfAnotherBlockSizeStandBeside) {
  KernelModel model = model_of({segment("fp32", 20, SegmentEnd::kEdge)});
  RecordedPoint other = model.points[0], larger = model.points[0];
  other.problem["block"] = 128;
  larger.problem["n"] = 2;
  model.points.push_back(other);
  model.points.push_back(larger);
  const auto change = changes(model);
  EXPECT_TRUE(change.contains("block = 128"));
  EXPECT_FALSE(change.contains("n = 2")) << "the work is different";
}

// A run that is cut off has few steps but no time, so it must not count as an improvement.
TEST(WhatIf, WhatDoesNotComeToItsEndHasNoTimeAndStandsLast) {
  KernelModel model = model_of({segment("fp32", 20, SegmentEnd::kEdge)});
  RecordedPoint longer = model.points[0];
  longer.problem["block"] = 128;
  longer.launches[0].warp_kinds[0].program[0].repeat = 2000;
  model.points.push_back(longer);
  RunOptions options;
  options.max_steps = 40'000;
  const WhatIfReport report =
      what_if({&model, &sm_net(), &h200(), &model.points[0], {}, {}}, options, kOneReplica);
  EXPECT_EQ(report.outcome, Outcome::kLimit);
  EXPECT_TRUE(report.time_us);
  EXPECT_EQ(report.rows.back().what, "block = 128");
  EXPECT_FALSE(report.rows.back().point.time_us);
  EXPECT_FALSE(report.rows.back().point.change);
  EXPECT_TRUE(report.rows.front().point.change);
  EXPECT_EQ(to_json(report)["what_if"].back().dump(),
            R"({"what":"block = 128","time_us":null,"change_percent":null,)"
            R"("half_width_95":null,"replicas":1,"told":null})");
  EXPECT_NE(csv_of(report).find("\nblock = 128,,,,1,\n"), std::string::npos);
  EXPECT_NE(text_of(report).find("not every run ended"), std::string::npos);
}

TEST(WhatIf, AgainstAPointThatDoesNotComeToItsEndNothingIsBetter) {
  const KernelModel model = model_of({segment("fp32", 20, SegmentEnd::kEdge)});
  RunOptions options;
  options.max_steps = 100;
  const WhatIfReport report =
      what_if({&model, &sm_net(), &h200(), &model.points[0], {}, {}}, options, kOneReplica);
  EXPECT_FALSE(report.time_us);
  for (const WhatIfRow& row : report.rows) EXPECT_FALSE(row.point.change) << row.what;
  EXPECT_TRUE(to_json(report)["time_us"].is_null());
}

// Random addresses make the draws matter: the interval of a change comes from their spread.
TEST(WhatIf, AChangeIsToldFromTheDrawsOrSaysThatTheyHideIt) {
  const KernelModel model = model_of({segment("fp32", 20, SegmentEnd::kEdge)});
  const WhatIfReport report = what_if({&model, &sm_net(), &h200(), &model.points[0], {}, {}},
                                      RunOptions{}, ReplicaRule{2, 8});
  EXPECT_GE(report.options.replicas, 2u);
  EXPECT_LE(report.options.replicas, 8u);
  for (const WhatIfRow& row : report.rows) {
    ASSERT_TRUE(row.point.half_width) << row.what;
    EXPECT_TRUE(row.point.told != Told::kNoise || row.point.replicas == 8) << row.what;
    EXPECT_TRUE(row.point.told != Told::kNone || std::abs(*row.point.change) <= kSmallChange)
        << row.what;
  }
}

TEST(WhatIf, ANetWhoseStepsHaveNoTimeIsRefused) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  const KernelModel model = model_of({segment("fp32", 2, SegmentEnd::kEdge)});
  EXPECT_THROW(
      what_if({&model, &wpnm, &h200(), &model.points[0], {}, {}}, RunOptions{}, kOneReplica),
      Error);
}

}  // namespace
}  // namespace pnsim
