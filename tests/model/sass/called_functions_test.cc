// Functions that the source page prints as tables of their own, behind the kernel that calls them.
#include "simulator/model/sass/called_functions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

struct Listed {
  std::string text;
  std::int64_t executed;
};

SourceTable table(const std::string& name, std::size_t row, std::uint64_t address,
                  const std::vector<Listed>& lines) {
  SourceTable out{name, "s.csv", row, {}, {}, 1, "", {}};
  for (const Listed& line : lines) {
    SourceRow instruction;
    instruction.address = address + 16 * out.rows.size();
    instruction.text = line.text;
    instruction.executed = line.executed;
    out.rows.push_back(instruction);
  }
  return out;
}

// The profiler prints the target 0x7efaab7a0b00 as 0x82c02b7a0b0100, and 0x7efaab7a8200 as
// 0xa0802b7a820000 (Nsight Compute 2025.3).
std::vector<SourceTable> printed() {
  return {table("k", 1, 0x7efaab7a0000,
                {{"CALL.ABS.NOINC 0x82c02b7a0b0100", 8}, {"EXIT", 8}, {"BRA 0x7efaab7a0020", 0}}),
          table("f", 9, 0x7efaab7a8200, {{"FADD R1, R1, R1", 4}, {"RET.ABS.NODEC R20, 0x0", 4}}),
          table("g", 15, 0x7efaab7a0b00,
                {{"@P0 CALL.ABS.NOINC 0xa0802b7a820000", 4}, {"RET.ABS.NODEC R20, 0x0", 8}})};
}

TEST(CalledFunctions, AreRowsOfTheKernelThatCallsThem) {
  const std::vector<SourceTable> tables = join_called_functions(printed());
  ASSERT_EQ(tables.size(), 1u);
  const SourceTable& k = tables[0];
  EXPECT_EQ(k.kernel, "k");
  ASSERT_EQ(k.rows.size(), 7u);
  EXPECT_EQ(k.rows[0].text, "CALL.ABS.NOINC 0x7efaab7a0b00");
  EXPECT_EQ(k.rows[5].text, "@P0 CALL.ABS.NOINC 0x7efaab7a8200");
  EXPECT_EQ(k.where(1), "s.csv: row 4");
  EXPECT_EQ(k.where(4), "s.csv: row 12") << "the second instruction of f";
  EXPECT_EQ(k.where(5), "s.csv: row 17");
}

TEST(CalledFunctions, EqualLaunchesAreCopiesWithTheirFunctions) {
  std::vector<SourceTable> twice = printed();
  for (const SourceTable& one : printed()) twice.push_back(one);
  const std::vector<SourceTable> tables = join_called_functions(twice);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].copies, 2u);
}

TEST(CalledFunctions, TablesThatExitOrThatNoKernelCallsStayApart) {
  std::vector<SourceTable> tables = printed();
  tables[0].rows[0].text = "MOV R1, R2";
  EXPECT_EQ(join_called_functions(tables).size(), 3u);
  tables = printed();
  tables[1].rows[1].text = "EXIT";
  EXPECT_EQ(join_called_functions(tables).size(), 3u);
}

TEST(CalledFunctions, AreExecutedBehindTheirCall) {
  const SourceTable k =
      join_called_functions(
          {table("k", 1, 0x7efaab7a0000,
                 {{"CALL.ABS.NOINC 0x82c02b7a0b0100", 4}, {"FADD R3, R1, R1", 4}, {"EXIT", 4}}),
           table("f", 9, 0x7efaab7a0b00, {{"MUFU.RCP R1, R2", 4}, {"RET.ABS.NODEC R20, 0x0", 4}})})
          .at(0);
  const Launch launch = infer_programs(test::shape(1, 128), k);
  ASSERT_EQ(launch.warp_kinds.size(), 1u);
  EXPECT_EQ(test::text_of(launch.warp_kinds[0].program), "0 1");
  EXPECT_EQ(launch.segments[0].classes.at("special"), 1) << "before the sum that reads its result";
  EXPECT_EQ(launch.segments[1].classes.at("fp32"), 1);
}

// A page without addresses has 0 for all rows: no call leads there.
TEST(CalledFunctions, WithoutAddressesCallsKeepTheirTargets) {
  std::vector<SourceTable> tables = printed();
  for (SourceTable& one : tables) {
    for (SourceRow& row : one.rows) row.address = 0;
  }
  tables[0].rows[0].text = "CALL.ABS.NOINC 0x40";
  EXPECT_EQ(join_called_functions(tables).at(0).rows[0].text, "CALL.ABS.NOINC 0x40");
}

}  // namespace
}  // namespace pnsim
