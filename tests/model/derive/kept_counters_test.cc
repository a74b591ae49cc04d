// Counters that a page of `ncu --set full` has only as percentages of the maximum of a unit.
#include "simulator/model/derive/kept_counters.h"

#include <gtest/gtest.h>

#include "simulator/model/launch/counters.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

struct Column {
  std::string name, unit, cell;
};

std::map<std::string, std::int64_t> kept(const std::vector<Column>& columns) {
  std::vector<std::vector<std::string>> rows(3);
  for (const Column& c : columns) {
    rows[0].push_back(c.name);
    rows[1].push_back(c.unit);
    rows[2].push_back(c.cell);
  }
  return kept_counters(RawRow(rows, 2, "raw.csv"));
}

const char* const kWavefronts = "l1tex__data_pipe_lsu_wavefronts.sum";
const char* const kWavefrontShare =
    "l1tex__data_pipe_lsu_wavefronts.sum.pct_of_peak_sustained_elapsed";
const char* const kL1Cycles = "l1tex__cycles_elapsed.sum";
const char* const kAtomicShare =
    "lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed";
const char* const kL2Cycles = "lts__cycles_elapsed.max";
const char* const kReductions = "lts__t_sectors_srcunit_tex_op_red.sum";
const char* const kAtomics = "lts__t_sectors_srcunit_tex_op_atom.sum";

// As a page of an H200 had it: 636,424 sectors in all, 13,343 in the busiest of 94 slices.
TEST(KeptCounters, SharesOfCyclesAreCounts) {
  const auto counters = kept({{kWavefrontShare, "%", "17.079778"},
                              {kL1Cycles, "cycle", "4413342.000000"},
                              {kAtomicShare, "%", "47.161742"},
                              {kL2Cycles, "cycle", "28,292"},
                              {kReductions, "sector", "636424.000000"},
                              {kAtomics, "sector", "0"}});
  EXPECT_EQ(counters.at("l1_wavefronts"), 753'789);
  EXPECT_EQ(counters.at("atomic_operations"), 636'424);
  EXPECT_EQ(counters.at("atomic_operations_busiest"), 13'343);
}

TEST(KeptCounters, OneKindOfAtomicsIsAllThereIs) {
  EXPECT_EQ(kept({{kReductions, "sector", "7"}}).at("atomic_operations"), 7);
  EXPECT_EQ(kept({{kAtomics, "sector", "9"}}).at("atomic_operations"), 9);
}

TEST(KeptCounters, CountsThatStandThereCountFirst) {
  const auto counters =
      kept({{kWavefronts, "", "1000"}, {kWavefrontShare, "%", "50"}, {kL1Cycles, "cycle", "100"}});
  EXPECT_EQ(counters.at("l1_wavefronts"), 1000);
  EXPECT_FALSE(counters.contains("atomic_operations_busiest")) << "not counted";
}

TEST(KeptCounters, AShareWithoutItsCyclesIsNone) {
  EXPECT_TRUE(
      kept({{kWavefrontShare, "%", "50"}, {kAtomicShare, "%", ""}, {kL2Cycles, "cycle", "5"}})
          .empty());
}

// The profiler divides the cycles that warps waited by the instructions issued.
TEST(KeptCounters, WaitsAreTheirRatioTimesTheIssuedInstructions) {
  const char* const kWait = "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio";
  const char* const kBranch =
      "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio";
  const Column issued{"smsp__inst_issued.sum", "inst", "1,000"};
  const auto counters = kept({{kWait, "inst", "2.5"}, {kBranch, "inst", "0.25"}, issued});
  EXPECT_EQ(counters.at(kFixedWaits), 2500);
  EXPECT_EQ(counters.at(kBranchWaits), 250);
  EXPECT_FALSE(counters.contains(kFenceWaits));
  for (const auto& [reason, counter] :
       {std::pair{"imc_miss", kConstantOperandWaits}, std::pair{"membar", kFenceWaits},
        std::pair{"no_instruction", kInstructionWaits}}) {
    const std::string column =
        "smsp__average_warps_issue_stalled_" + std::string(reason) + "_per_issue_active.ratio";
    EXPECT_EQ(kept({{column, "inst", "1.5"}, issued}).at(counter), 1500);
  }
  EXPECT_FALSE(kept({{kWait, "inst", "2.5"}}).contains(kFixedWaits)) << "of how many?";
  EXPECT_FALSE(kept({{kWait, "inst", ""}, issued}).contains(kFixedWaits));
  EXPECT_EQ(kept({{kWait, "inst", "-3"}, issued}).at(kFixedWaits), 0);
  EXPECT_EQ(kept({{kWait, "inst", "1e30"}, issued}).at(kFixedWaits), 1024 * 1000);
  EXPECT_NE(test::input_error_of([&] {
              kept({{kWait, "inst", "long"}, issued});
            }).find(kWait),
            std::string::npos);
}

TEST(KeptCounters, SharesThatCannotBeAreErrors) {
  for (const auto& [unit, cell] : std::vector<std::pair<std::string, std::string>>{
           {"", "50"}, {"%", "-1"}, {"%", "120"}, {"%", "much"}}) {
    EXPECT_NE(test::input_error_of([&] {
                kept({{kWavefrontShare, unit, cell}, {kL1Cycles, "cycle", "100"}});
              }).find(kWavefrontShare),
              std::string::npos)
        << unit << cell;
  }
}

}  // namespace
}  // namespace pnsim
