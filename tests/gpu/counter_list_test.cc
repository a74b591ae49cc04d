#include "gpu/counter_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace pnsim::gpu {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;

std::set<std::string> metrics_with(CounterUse use) {
  std::set<std::string> metrics;
  for (const Counter& counter : counter_list()) {
    if (counter.use == use) metrics.insert(counter.metric);
  }
  return metrics;
}

TEST(CounterList, NamesEveryMetricOnceAndSaysWhatItIs) {
  std::set<std::string> seen;
  for (const Counter& counter : counter_list()) {
    EXPECT_TRUE(seen.insert(counter.metric).second) << counter.metric;
    EXPECT_STRNE(counter.meaning, "") << counter.metric;
  }
}

TEST(CounterList, OneCounterIsTheTotal) {
  EXPECT_EQ(metrics_with(CounterUse::kTotal), (std::set<std::string>{"smsp__inst_executed.sum"}));
}

// The two classes are sums, so they must contain every kind of access of both classes.
TEST(CounterList, ClassesCoverEveryKindOfAccess) {
  const std::string prefix = "smsp__inst_executed_op_";
  std::vector<std::string> global;
  for (const char* kind :
       {"global_ld", "global_st", "global_red", "generic_ld", "generic_st", "generic_atom_dot_alu",
        "generic_atom_dot_cas", "local_ld", "local_st", "texture", "ldgsts", "tma_ld", "tma_st"}) {
    global.push_back(prefix + kind + ".sum");
  }
  EXPECT_THAT(metrics_with(CounterUse::kGlobal), IsSupersetOf(global));
  std::vector<std::string> shared;
  for (const char* kind : {"shared_ld", "shared_st", "shared_atom", "ldsm", "shared_stsm"}) {
    shared.push_back(prefix + kind + ".sum");
  }
  EXPECT_THAT(metrics_with(CounterUse::kShared), IsSupersetOf(shared));
}

// The profiler names all stall metrics alike: the text between prefix and suffix is the reason.
TEST(CounterList, CountersOfStallsNameTheReason) {
  std::set<std::string> reasons;
  for (const Counter& counter : counter_list()) {
    const std::string reason = stall_reason(counter);
    EXPECT_EQ(reason.empty(), counter.use != CounterUse::kStall) << counter.metric;
    if (reason.empty()) continue;
    EXPECT_TRUE(reasons.insert(reason).second) << reason;
    EXPECT_EQ("smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio",
              counter.metric);
  }
  EXPECT_THAT(reasons,
              IsSupersetOf(std::vector<std::string>{"selected", "wait", "long_scoreboard"}));
}

TEST(CounterList, ArgumentListsAllMetricsOnce) {
  const std::string argument = metric_argument();
  EXPECT_EQ(std::count(argument.begin(), argument.end(), ','),
            static_cast<std::ptrdiff_t>(counter_list().size()) - 1);
  for (const Counter& counter : counter_list()) EXPECT_THAT(argument, HasSubstr(counter.metric));
}

}  // namespace
}  // namespace pnsim::gpu
