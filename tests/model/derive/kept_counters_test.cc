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

CsvRows rows_of(const std::vector<Column>& columns) {
  CsvRows rows(3);
  for (const Column& c : columns) {
    rows[0].push_back(c.name);
    rows[1].push_back(c.unit);
    rows[2].push_back(c.cell);
  }
  return rows;
}

std::map<std::string, std::int64_t> kept(const std::vector<Column>& columns) {
  const CsvRows rows = rows_of(columns);
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

TEST(KeptCounters, RequestsOfTheBusiestSliceOfL2AreKept) {
  const auto counters = kept(
      {{"lts__t_requests.sum", "request", "9,400"}, {"lts__t_requests.max", "request", "640"}});
  EXPECT_EQ(counters.at(kSliceRequests), 9400);
  EXPECT_EQ(counters.at(kBusiestSliceRequests), 640);
}

TEST(KeptCounters, BytesAreInNoUnitOfTime) {
  EXPECT_EQ(kept({{"l1tex__m_xbar2l1tex_read_bytes.sum", "Mbyte", "2.5"}}).at(kTakenInBytes),
            2'500'000);
  EXPECT_EQ(kept({{"dram__bytes_read.sum", "Tbyte", "2"}}).at("dram_read_bytes"),
            2'000'000'000'000);
  EXPECT_EQ(
      test::input_error_of([] {
        kept({{"dram__bytes_read.sum", "second", "2"}});
      }),
      "raw.csv: row 3, column dram__bytes_read.sum: found the unit \"second\", expected byte, "
      "Kbyte, Mbyte, Gbyte or Tbyte");
}

// The counters of a launch of 8 warps on an SM, which has four schedulers; "" where they are right.
std::string contradiction(const std::string& column, const std::string& cell) {
  std::vector<Column> columns = {
      {"launch__grid_size", "", "4"},
      {"launch__block_size", "", "64"},
      {"launch__sm_count", "SM", "1"},
      {"smsp__inst_executed.sum", "inst", "400"},
      {"smsp__inst_executed.max", "inst", "100"},
      {"lts__t_requests.sum", "request", "90"},
      {"lts__t_requests.max", "request", "9"},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "50"},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "sector", "50"},
      {"l1tex__t_sectors_pipe_tex_mem_texture.sum", "sector", "7"},
      {"l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum", "sector", "0"}};
  for (Column& c : columns) {
    if (c.name == column) c.cell = cell;
  }
  const CsvRows rows = rows_of(columns);
  try {
    check_counters(RawRow(rows, 2, "raw.csv"), 8, {{"global_load", 2}});
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
}

TEST(ContradictingCounters, AreNamedWithBothColumns) {
  EXPECT_EQ(contradiction("", ""), "");
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                    texture = "l1tex__t_sectors_pipe_tex_mem_texture",
                    instructions = "smsp__inst_executed", column = "raw.csv: row 3, column ";
  EXPECT_EQ(contradiction(loads + "_lookup_hit.sum", "51"),
            column + loads + "_lookup_hit.sum: found 51, expected at most the 50 of column " +
                loads + ".sum");
  EXPECT_EQ(contradiction(texture + "_lookup_hit.sum", "8"),
            column + texture + "_lookup_hit.sum: found 8, expected at most the 7 of column " +
                texture + ".sum");
  EXPECT_EQ(contradiction(instructions + ".max", "99"),
            column + instructions +
                ".max: found 99, expected at least the mean of the 4 "
                "schedulers: column " +
                instructions + ".sum has 400");
  EXPECT_EQ(
      contradiction("lts__t_requests.max", "91"),
      column +
          "lts__t_requests.max: found 91, expected more than 0 and at most the requests of all "
          "slices: column lts__t_requests.sum has 90");
  EXPECT_NE(contradiction("lts__t_requests.max", "0"), "");
  EXPECT_EQ(contradiction(instructions + ".sum", "8"), "") << "one instruction a warp";
  EXPECT_EQ(contradiction(instructions + ".sum", "7"),
            column + instructions +
                ".sum: found 7, expected at least one for each of the 8 warps of the launch "
                "(columns launch__grid_size, 4, and launch__block_size, 64)");
}

TEST(ContradictingCounters, MoreInstructionsThanAnyGpuExecutesAreRefused) {
  const auto check = [](const std::string& instructions) {
    const CsvRows rows = rows_of({{"launch__grid_size", "", "4"},
                                  {"launch__block_size", "", "64"},
                                  {"gpu__time_duration.sum", "us", "2"},
                                  {"smsp__inst_executed.sum", "inst", instructions}});
    check_counters(RawRow(rows, 2, "raw.csv"), 8, {});
  };
  EXPECT_NO_THROW(check("200000000"));
  EXPECT_EQ(test::input_error_of([&] { check("200000001"); }),
            "raw.csv: row 3, column smsp__inst_executed.sum: found 200000001, expected at most "
            "200000000, which is more than any GPU executes in the 2.00 us of column "
            "gpu__time_duration.sum");
}

TEST(ContradictingCounters, CannotBeToldWithoutTheSecondColumn) {
  EXPECT_EQ(contradiction("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "n/a"), "");
  EXPECT_EQ(contradiction("smsp__inst_executed.max", ""), "");
  const std::string without_sms = contradiction("launch__sm_count", "n/a");
  EXPECT_EQ(without_sms, "");
}

}  // namespace
}  // namespace pnsim
