// Tests that rows do not depend on the use of a GPU. The GPU's code runs on the CPU here.
#include "simulator/analysis/runs/gpu_use.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/data_files.h"

namespace pnsim {
namespace {

Net wpnm_of(const ParameterValues& overrides, const std::string& name = "wpnm") {
  return instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"), overrides);
}

// The row with the GPU's code and without it.
struct BothRows {
  std::string cpu, gpu;
};

BothRows rows_of_both(const Net& net, PointOptions options, GpuUse& use) {
  options.run.log_conflicts = true;
  BothRows out;
  out.cpu = to_json(run_net_point(net, "net", {}, options)).dump();
  options.run.gpu = &use;
  out.gpu = to_json(run_net_point(net, "net", {}, options)).dump();
  return out;
}

TEST(GpuUse, ARowIsTheSameByteForByte) {
  GpuUse use(false);
  PointOptions options{};
  options.run.replicas = 300;
  options.run.seed = 9;
  const Net net = wpnm_of({{"W", {9}}, {"xa", {3, 1, 2, 0, 3, 3, 3, 3, 1}}});
  const BothRows rows = rows_of_both(net, options, use);
  EXPECT_EQ(rows.cpu, rows.gpu);
  EXPECT_EQ(use.text(), "300 runs on the GPU, 1 of them compared with the CPU's");
}

TEST(GpuUse, RunsThatAreCutOffAreMadeOnTheCpu) {
  GpuUse use(false);
  PointOptions options{};
  options.run.replicas = 260;
  options.run.max_steps = 20;
  const BothRows rows = rows_of_both(wpnm_of({{"W", {9}}}), options, use);
  EXPECT_EQ(rows.cpu, rows.gpu);
  EXPECT_NE(use.text().find("on the CPU"), std::string::npos) << use.text();
}

TEST(GpuUse, WithAStoppingRuleTheFirstLooksAreTooSmallForAGpu) {
  GpuUse use(false);
  PointOptions options{};
  options.stopping = StoppingRule{0.002, 2000};
  const BothRows rows = rows_of_both(wpnm_of({{"W", {9}}}), options, use);
  EXPECT_EQ(rows.cpu, rows.gpu);
  EXPECT_NE(use.text().find("fewer than 256 replicas"), std::string::npos) << use.text();
}

TEST(GpuUse, NetsThatDoNotFitAndFewReplicasRunOnTheCpu) {
  GpuUse use(false), other(false);
  PointOptions options{};
  options.run.replicas = 256;
  const BothRows rows = rows_of_both(wpnm_of({{"W", {3}}}, "wpnm_literal"), options, use);
  EXPECT_EQ(rows.cpu, rows.gpu);
  EXPECT_EQ(use.text().find("0 runs on the GPU; 256 runs on the CPU: the net does not fit"), 0u)
      << use.text();
  options.run.replicas = 2;
  rows_of_both(wpnm_of({{"W", {3}}}), options, other);
  EXPECT_EQ(other.text(),
            "0 runs on the GPU; 2 runs on the CPU: fewer than 256 replicas of a net "
            "run faster on the CPU");
}

TEST(GpuUse, OnlyTheFirstFinalMarkingsAreKept) {
  RunOptions options;
  options.replicas = kMaxFinalMarkings + 1;
  const ReplicaRuns runs = run_replicas(wpnm_of({{"W", {2}}}), options);
  EXPECT_FALSE(runs.runs[kMaxFinalMarkings - 1].final_marking.empty());
  EXPECT_TRUE(runs.runs[kMaxFinalMarkings].final_marking.empty());
}

}  // namespace
}  // namespace pnsim
