// Tests that rows depend neither on SIMD nor on the number of threads.
#include "simulator/analysis/runs/replicas.h"

#include <gtest/gtest.h>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/data_files.h"

namespace pnsim {
namespace {

Net net_of(const std::string& name, const ParameterValues& overrides) {
  return instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"), overrides);
}

std::string row_of(const Net& net, PointOptions options, bool simd, unsigned threads) {
  options.run.log_conflicts = true;
  options.run.simd = simd;
  options.run.threads = threads;
  return to_json(run_net_point(net, "net", {}, options)).dump();
}

void compare_rows(const Net& net, const PointOptions& options) {
  const std::string expected = row_of(net, options, false, 1);
  for (const unsigned threads : {1u, 2u, 3u}) {
    EXPECT_EQ(row_of(net, options, true, threads), expected)
        << net.name() << " " << threads << " threads";
  }
}

TEST(Replicas, RowsAreTheSameWhetherReplicasRunSideBySideOrNot) {
  PointOptions options{};
  options.run.replicas = 1100;  // more than the number of final markings that are kept
  options.run.first_replica = 17;
  options.run.seed = 9;
  compare_rows(net_of("wpnm", {{"W", {9}}, {"xa", {3, 1, 2, 0, 3, 3, 3, 3, 1}}, {"xg", {2}}}),
               options);
  options.run.replicas = 100;
  compare_rows(net_of("wpnm", {{"W", {40}}, {"xa", {3}}, {"xs", {1}}, {"xg", {2}}}), options);
  compare_rows(net_of("wpnm_literal", {{"W", {3}}}), options);  // a net that does not fit
}

TEST(Replicas, RunsThatALimitCutsAreTheSameToo) {
  PointOptions options{};
  options.run.replicas = 100;
  const Net net = net_of("wpnm", {{"W", {9}}, {"xa", {3}}, {"xs", {1}}, {"xg", {2}}});
  for (const std::uint64_t limit : {0, 1, 20, 150, 190, 100'000}) {
    options.run.max_steps = limit;
    compare_rows(net, options);
  }
}

TEST(Replicas, WithAStoppingRuleTheLooksAreTheSame) {
  PointOptions options{};
  options.stopping = StoppingRule{0.002, 2000};
  compare_rows(net_of("wpnm", {{"W", {9}}, {"xa", {3}}}), options);
}

}  // namespace
}  // namespace pnsim
