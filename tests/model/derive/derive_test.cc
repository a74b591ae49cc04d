// Kernel models from real pages of Nsight Compute (tests/data/vectors) and from broken pages.
#include "simulator/model/derive/derive.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "simulator/base/csv.h"
#include "simulator/model/derive/source_check.h"
#include "tests/model/derive/raw_page.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::raw_text;
using test::RawPage;
using test::Rows;
using test::source_text;
using test::text_of;
TEST(RawPage, GivesTheFiveLaunches) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  ASSERT_EQ(launches.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    const ProfiledLaunch& l = launches[i];
    const bool is_sum = i == 1 || i == 3;
    EXPECT_EQ(l.id, static_cast<int>(i));
    EXPECT_EQ(l.kernel, is_sum ? "block_sum" : "vector_add");
    EXPECT_EQ(l.device, "NVIDIA H200");
    EXPECT_EQ(l.launch.block, i == 4 ? 128 : 256);
    EXPECT_EQ(l.launch.grid, i == 4 ? 512 : 256);
    EXPECT_EQ(l.launch.registers, 16);
    EXPECT_EQ(l.launch.shared_bytes, is_sum ? 1024 : 0);
    EXPECT_EQ(l.launch.resident_blocks, i == 4 ? 16 : 8);
    EXPECT_EQ(l.warps, 2048);
    EXPECT_EQ(l.instructions, is_sum ? 138'240 : 40'960);
    EXPECT_EQ(l.totals, is_sum ? (InstructionCounts{124'416, 11'520, 2'304})
                               : (InstructionCounts{34'816, 0, 6'144}));
    EXPECT_GT(l.profiled_us, 2.0);
    EXPECT_LT(l.profiled_us, 2.6);
  }
}

TEST(RawPage, KeepsTheFinerClassesThatOccur) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  using Classes = std::map<std::string, std::int64_t>;
  EXPECT_EQ(launches[0].launch.classes, (Classes{{"global_load", 4096}, {"global_store", 2048}}));
  EXPECT_EQ(launches[1].launch.classes, (Classes{{"global_load", 2048},
                                                 {"global_reduction", 256},
                                                 {"shared_load", 6400},
                                                 {"shared_store", 5120}}));
}

TEST(RawPage, InstructionsAndGlobalAccessesAreThoseOfTheSourcePage) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  const auto tables = read_ncu_source(source_text(), "source.csv");
  ASSERT_EQ(tables.size(), launches.size());  // each stands twice
  for (std::size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(tables[i].kernel, launches[i].kernel);
    EXPECT_EQ(tables[i].instructions, launches[i].instructions);
    EXPECT_EQ(tables[i].totals.global, launches[i].totals.global);
  }
  EXPECT_EQ(tables[0].totals, launches[0].totals);
  // The source page of block_sum also has the accesses all of whose lanes were predicated off:
  // 25 accesses a warp, and one more by the first warp of each block.
  EXPECT_EQ(tables[1].totals.shared, 25 * 2048 + 256);
  EXPECT_EQ(launches[1].totals.shared, 11'520);
  EXPECT_NO_THROW(check_against_source(launches, source_text(), "source.csv"));
}

TEST(RawPage, WarpsShareTheTotalsOfTheLaunch) {
  for (const ProfiledLaunch& l : read_ncu_raw(raw_text(), "raw.csv")) {
    std::int64_t warps = 0, instructions = 0;
    for (const WarpKind& kind : l.launch.warp_kinds) {
      const InstructionCounts c = total_counts(kind.program, "t");
      warps += kind.warps;
      instructions += kind.warps * (c.arithmetic + c.shared + c.global);
    }
    EXPECT_EQ(warps, l.warps);
    EXPECT_EQ(instructions, l.instructions);
  }
}

TEST(RawPage, UnitsAndThousandsSeparatorsAreRead) {
  RawPage page;
  page.rows[1][page.column("launch__shared_mem_per_block_static")] = "byte/block";
  for (const std::size_t row : {3u, 5u}) {  // the two launches of block_sum
    page.cell(row, "launch__shared_mem_per_block_static") = "1,024";
  }
  page.rows[1][page.column("launch__shared_mem_per_block_dynamic")] = "Kbyte/block";
  page.cell(3, "launch__shared_mem_per_block_dynamic") = "16.384000";
  page.rows[1][page.column("gpu__time_duration.sum")] = "ns";
  page.cell(3, "gpu__time_duration.sum") = "2,528";
  page.cell(3, "smsp__inst_executed.sum") = "138,240";
  const ProfiledLaunch l = page.read().at(1);
  EXPECT_EQ(l.launch.shared_bytes, 1024 + 16384);
  EXPECT_DOUBLE_EQ(l.profiled_us, 2.528);
  EXPECT_EQ(l.instructions, 138'240);
}

TEST(RawPage, AMetricTheChipLacksIsNone) {
  RawPage page;
  page.drop("smsp__sass_inst_executed_op_local.sum");
  page.drop("smsp__inst_executed_pipe_tex.sum");
  page.drop("gpu__time_duration.sum");
  page.drop("device__attribute_display_name");
  const auto launches = page.read();
  EXPECT_EQ(launches.at(0).totals.global, 6'144);
  EXPECT_EQ(launches.at(0).profiled_us, 0);
  EXPECT_EQ(launches.at(0).device, "");
}

TEST(RawPage, EveryClassCountsAsItsColumnSays) {
  const std::map<std::string, bool> columns = {
      // true: global memory, false: shared memory
      {"smsp__sass_inst_executed_op_global_ld.sum", true},
      {"smsp__sass_inst_executed_op_global_st.sum", true},
      {"smsp__sass_inst_executed_op_global_atom.sum", true},
      {"smsp__inst_executed_op_global_red.sum", true},
      {"smsp__sass_inst_executed_op_local.sum", true},
      {"smsp__inst_executed_pipe_tex.sum", true},
      {"smsp__sass_inst_executed_op_shared_ld.sum", false},
      {"smsp__sass_inst_executed_op_shared_st.sum", false},
      {"smsp__inst_executed_op_shared_atom.sum", false}};
  for (const auto& [column, is_global] : columns) {
    RawPage page;
    const InstructionCounts before = page.read().at(1).totals;
    std::string& cell = page.cell(3, column);
    cell = std::to_string(std::stoll(cell) + 100);
    InstructionCounts expected = before;
    (is_global ? expected.global : expected.shared) += 100;
    expected.arithmetic -= 100;
    EXPECT_EQ(page.read().at(1).totals, expected) << column;
  }
}

TEST(RawPage, MetricsOfOtherChipsCountToo) {
  const std::map<std::string, bool> columns = {{"smsp__inst_executed_op_ldgsts.sum", true},
                                               {"smsp__inst_executed_op_tma_ld.sum", true},
                                               {"smsp__inst_executed_op_surface_st.sum", true},
                                               {"smsp__inst_executed_op_ldsm.sum", false},
                                               {"smsp__inst_executed_op_shared_stsm.sum", false}};
  for (const auto& [column, is_global] : columns) {
    RawPage page;
    for (std::size_t r = 0; r < page.rows.size(); ++r) {
      page.rows[r].push_back(r == 0 ? column : r == 1 ? "inst" : "10");
    }
    const InstructionCounts totals = page.read().at(0).totals;
    EXPECT_EQ(totals.global, 6'144 + (is_global ? 10 : 0)) << column;
    EXPECT_EQ(totals.shared, is_global ? 0 : 10) << column;
  }
}

// Pages without the counts from the machine code fall back to the hardware counters.
TEST(RawPage, CountersOfTheHardwareAreRead) {
  RawPage page;
  for (std::string& name : page.rows[0]) {
    const std::string start = "smsp__sass_inst_executed_op_";
    if (name.starts_with(start)) name = "smsp__inst_executed_op_" + name.substr(start.size());
  }
  for (std::size_t r = 0; r < page.rows.size(); ++r) {
    page.rows[r].push_back(r == 0   ? "smsp__inst_executed_op_generic_ld.sum"
                           : r == 1 ? "inst"
                                    : "7");
  }
  const ProfiledLaunch l = page.read().at(1);
  EXPECT_EQ(l.totals, (InstructionCounts{124'416 - 7, 11'520, 2'304 + 7}));
  EXPECT_EQ(l.launch.classes.at("generic_load"), 7);
}

TEST(RawPage, ColumnsOfTheCodeWinOverThoseOfTheHardware) {
  RawPage page;
  for (std::size_t r = 0; r < page.rows.size(); ++r) {
    page.rows[r].push_back(r == 0   ? "smsp__inst_executed_op_global_ld.sum"
                           : r == 1 ? "inst"
                                    : "9999");
  }
  EXPECT_EQ(page.read().at(0).totals.global, 6'144);
}

TEST(RawPage, TextureAccessesAreCountedOnce) {
  RawPage page;
  for (std::size_t r = 2; r < page.rows.size(); ++r) {
    page.cell(r, "smsp__inst_executed_pipe_tex.sum") = "64";
  }
  EXPECT_EQ(page.read().at(0).launch.classes.at("texture"), 64);
  for (std::size_t r = 0; r < page.rows.size(); ++r) {
    page.rows[r].push_back(r == 0 ? "smsp__inst_executed_op_texture.sum" : r == 1 ? "inst" : "32");
  }
  EXPECT_EQ(page.read().at(0).launch.classes.at("texture"), 32);  // the pipe executes others too
}

// Some launches have two equal tables in a row and others one, as in pages of PyTorch programs.
// A source page of 100 instructions after a branch that may be divergent.
// A loop that tests a flag of other warps, 400 times in the counted run.
TEST(ModelOfLaunch, IsAFileThatReadsBack) {
  Json provenance;
  provenance["from"] = "raw.csv";
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  const KernelModel model = model_of_launch(launches[1], provenance);
  const KernelModel again = test::read_text(kernel_model_text(model), read_kernel_model);
  EXPECT_EQ(again.name, "block_sum");
  EXPECT_EQ(again.device, "h200");
  EXPECT_EQ(again.problem, (Problem{{"block", 256}, {"grid", 256}}));
  EXPECT_EQ(again.provenance.at("from"), "raw.csv");
  EXPECT_EQ(again.provenance.at("profiler_id"), 1);
  EXPECT_EQ(again.provenance.at("profiled_on"), "NVIDIA H200");
  const Launch& launch = again.point({}).launches.at(0);
  EXPECT_EQ(launch.resident_blocks, 8);
  EXPECT_EQ(launch.classes.at("shared_load"), 6400);
  std::int64_t shared = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    shared += kind.warps * total_counts(kind.program, "t").shared;
  }
  EXPECT_EQ(shared, 11'520);
}

}  // namespace
}  // namespace pnsim
