// Tests what --set does to a prediction: the time scale of exactly these parameters, and the change
// against the default.
#include "simulator/analysis/predict/against_default.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "tests/support/shipped.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

const NetTemplate& wpnm() {
  static const NetTemplate net = load_net_template(data_root() + "/models/nets/wpnm.json");
  return net;
}

KernelModel toy_model() {
  KernelModel model;
  model.name = "toy";
  model.device = "h200";
  model.problem = {{"n", 1}};
  Launch launch = toy_launch();
  launch.segments[1].waits_for = {LateResult::kGlobal};
  for (ProgramItem& item : launch.warp_kinds[0].program) {
    item.counts = launch.segments[*item.segment].counts();
  }
  model.points = {{model.problem, {launch}}};
  return model;
}

RecordedResults with_scale_of(std::int64_t l1) {
  const InputJson row{{"id", "abc"},        {"kind", "time_scale"},
                      {"net", "wpnm"},      {"parameters", {{"S", 4}, {"l1", l1}, {"l2", 2}}},
                      {"us_per_step", 0.5}, {"programs", {"toy"}}};
  return {"h200", std::vector{row}};
}

PointRequest request_of(const KernelModel& model, const NetTemplate& net, ParameterValues set = {},
                        ParameterFactors factors = {}) {
  return {&model, &net, &test::h200(),     &model.points[0], std::move(set),
          {},     {},   std::move(factors)};
}

TEST(TimeScale, IsUsedForExactlyItsParameters) {
  const KernelModel model = toy_model();
  const PointRequest set = request_of(model, wpnm(), {{"l1", {160}}});
  const ModelRunReport report = run_model_point(set, {}, with_scale_of(160));
  ASSERT_TRUE(report.scale);
  EXPECT_DOUBLE_EQ(*predicted_us(report), 0.5 * report.prediction.mean_steps());
  EXPECT_FALSE(run_model_point(set, {}, with_scale_of(20)).scale) << "another l1";
  EXPECT_TRUE(
      run_model_point(request_of(model, wpnm(), {}, {{"l1", 8}}), {}, with_scale_of(160)).scale)
      << "20 times 8";
  EXPECT_TRUE(
      run_model_point(request_of(model, wpnm(), {{"xa", {9}}}), {}, with_scale_of(20)).scale)
      << "counts are not parameters of the scale";
}

TEST(TimeScale, TheCommandThatFitsAMissingOneIsComplete) {
  const KernelModel model = toy_model();
  const PointRequest request = request_of(model, wpnm(), {{"l1", {160}}});
  EXPECT_EQ(calibrate_command(request, net_parameters(request)),
            "experiment calibrate --net wpnm --device h200 -a l1=160 -a l2=2");
}

TEST(AgainstDefault, ComparesTheSameReplicas) {
  const KernelModel model = toy_model();
  RunOptions run;
  run.replicas = 3;
  const PointRequest own = request_of(model, wpnm());
  const PointRequest set = request_of(model, wpnm(), {{"l1", {40}}, {"xa", {5}}});
  const Prediction base = predict({own}, run).front(), changed = predict({set}, run).front();
  const auto against = against_default(set, run, changed);
  ASSERT_TRUE(against);
  EXPECT_DOUBLE_EQ(against->steps, base.mean_steps());
  EXPECT_NEAR(against->change, changed.mean_steps() - base.mean_steps(), 1e-9);
  EXPECT_TRUE(against->half_width);
  EXPECT_EQ(against->parameters, (ParameterValues{{"l1", {20}}}));
  EXPECT_EQ(against->own, std::vector<std::string>{"xa"});
  EXPECT_FALSE(against_default(own, run, base)) << "nothing is changed";
}

TEST(AgainstDefault, RunsThatWereCutOffAreNotCompared) {
  const KernelModel model = toy_model();
  RunOptions run;
  run.max_steps = 3;
  const PointRequest set = request_of(model, wpnm(), {{"l1", {40}}});
  EXPECT_FALSE(against_default(set, run, predict({set}, run).front()));
}

// The 40 warps have 2 arithmetic and 2 global instructions each.
TEST(ChangedCounts, OnThePapersNetAreThoseOfEveryWarp) {
  const KernelModel model = toy_model();
  const auto steps = [&](ParameterValues set, ParameterFactors factors = {}) {
    return predict({request_of(model, wpnm(), std::move(set), std::move(factors))}, {})
        .front()
        .mean_steps();
  };
  EXPECT_EQ(steps({{"xa", {4}}}), steps({}, {{"xa", 2}}));
  EXPECT_EQ(steps({{"xa", {2}}, {"xg", {2}}}), steps({})) << "as they are";
  EXPECT_GT(steps({}, {{"xg", 3}}), steps({}));
  EXPECT_LT(steps({{"xg", {0}}}), steps({}));
}

TEST(ChangedCounts, OnTheSmNetScaleTheSegments) {
  const KernelModel model = toy_model();
  const auto steps = [&](ParameterValues set, ParameterFactors factors = {}) {
    return predict({request_of(model, test::sm_net(), std::move(set), std::move(factors))}, {})
        .front()
        .mean_steps();
  };
  EXPECT_EQ(steps({{"xg", {4}}}), steps({}, {{"xg", 2}})) << "the mean warp has 2";
  EXPECT_GT(steps({}, {{"xg", 50}}), steps({}));
  EXPECT_GT(steps({}, {{"xa", 500}}), steps({}));
  EXPECT_LT(steps({{"xg", {0}}}), steps({})) << "no loads, so nothing waits for them";
  EXPECT_GT(steps({}, {{"latency", 20}}), steps({})) << "cycles of each launch have factors, too";
}

TEST(ChangedCounts, OtherNumbersOfTheLaunchesStayRefused) {
  const KernelModel model = toy_model();
  for (const char* name : {"W", "K"}) {
    const NetTemplate& net = std::string(name) == "W" ? wpnm() : test::sm_net();
    EXPECT_THROW(predict({request_of(model, net, {}, {{name, 2}})}, {}), Error) << name;
  }
}

}  // namespace
}  // namespace pnsim
