#include "simulator/model/sass/spinning.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

// Instructions at 0x0, 0x10 ..., each executed so often.
Code listing_of(const std::vector<std::pair<const char*, std::int64_t>>& lines) {
  SourceTable table;
  for (const auto& [text, executed] : lines) {
    SourceRow row;
    row.address = 0x10 * table.rows.size();
    row.text = text;
    row.executed = executed;
    table.rows.push_back(row);
  }
  return parse_code(table);
}

TEST(Spinning, ALoopThatTestsAFlagOfOtherWarpsSpins) {
  EXPECT_EQ(spinning_instructions(listing_of({{"S2R R0, SR_TID.X", 4},
                                              {"LDG.E.STRONG.GPU R2, desc[UR4][R2.64]", 90},
                                              {"ISETP.EQ.U32.AND P0, PT, R2, RZ, PT", 90},
                                              {"@P0 BRA 0x10", 90},
                                              {"EXIT", 4}})),
            270);
}

TEST(Spinning, AWaitForAnMbarrierSpins) {
  EXPECT_EQ(spinning_instructions(listing_of({{"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", 30},
                                              {"@!P0 BRA 0x0", 30},
                                              {"EXIT", 4}})),
            60);
}

TEST(Spinning, ATestOfAnMbarrierIsPassedOnce) {
  SourceTable table;
  const std::vector<std::pair<const char*, std::int64_t>> lines{
      {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", 30}, {"@!P0 BRA 0x0", 30}, {"EXIT", 4}};
  for (const auto& [text, executed] : lines) {
    SourceRow row;
    row.address = 0x10 * table.rows.size();
    row.text = text;
    row.executed = executed;
    row.threads = row.threads_on = 32 * executed;
    table.rows.push_back(row);
  }
  table.rows[1].threads_on = 32 * 26;  // 26 of the 30 branches go back
  Code code = parse_code(table);
  std::vector<std::int64_t> active{30, 30, 4};
  settle_spinning(code, active);
  EXPECT_EQ(code[0].row.executed, 4);
  EXPECT_EQ(code[1].row.executed, 4);
  EXPECT_EQ(code[1].row.threads_on, 0);
  EXPECT_EQ(code[2].row.executed, 4);
  EXPECT_EQ(active, (std::vector<std::int64_t>{4, 4, 4}));
  for (SourceRow& row : table.rows) row.threads = row.threads_on = kNotCounted;
  code = parse_code(table);
  settle_spinning(code, active);
  EXPECT_EQ(code[0].row.executed, 4) << "without threads: as often as the code behind";
  Code flag =
      listing_of({{"LDG.E.STRONG.GPU R2, desc[UR4][R2.64]", 90}, {"@P0 BRA 0x0", 90}, {"EXIT", 4}});
  std::vector<std::int64_t> loads{90, 90, 4};
  settle_spinning(flag, loads);
  EXPECT_EQ(flag[0].row.executed, 90) << "nothing else of the net waits for a flag";
}

// A waiting loop behind the code, which warps enter and leave by branches, is bypassed.
TEST(Spinning, AWaitingLoopApartIsLeftOut) {
  const auto settled = [](const char* before_loop) {
    Code code = listing_of({{"SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [UR4], R2", 10},
                            {"@!P2 BRA 0x50", 10},
                            {"LDS R1, [R5]", 10},
                            {"@P0 BRA 0x0", 10},
                            {before_loop, 1},
                            {"SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [UR4], R2", 30},
                            {"@P2 BRA 0x20", 30},
                            {"BRA 0x50", 24}});
    std::vector<std::int64_t> active{10, 10, 10, 10, 1, 30, 30, 24};
    settle_spinning(code, active);
    return code;
  };
  const Code apart = settled("EXIT");
  EXPECT_EQ(apart[1].sass.target, 0x20u);
  EXPECT_EQ(apart[5].row.executed + apart[6].row.executed + apart[7].row.executed, 0);
  EXPECT_EQ(apart[2].row.executed, 10);
  const Code within = settled("MOV R3, R4");
  EXPECT_EQ(within[1].sass.target, 0x50u) << "warps also reach it from above";
  EXPECT_GT(within[5].row.executed, 0);
}

TEST(Spinning, OtherLoopsDoNotSpin) {
  EXPECT_EQ(spinning_instructions(
                listing_of({{"LDG.E R2, desc[UR4][R2.64]", 90}, {"@P0 BRA 0x0", 90}, {"EXIT", 4}})),
            0);
  EXPECT_EQ(spinning_instructions(listing_of({{"LDG.E.STRONG.GPU R2, desc[UR4][R2.64]", 90},
                                              {"STG.E desc[UR4][R4.64], R2", 90},
                                              {"@P0 BRA 0x0", 90},
                                              {"EXIT", 4}})),
            0)
      << "it copies";
}

TEST(Spinning, ALoopThatWasNeverRepeatedDoesNotSpin) {
  SourceTable table;
  for (const char* text : {"LD.E.STRONG.GPU R2, [R4]", "@P0 BRA 0x0", "EXIT"}) {
    SourceRow row;
    row.address = 0x10 * table.rows.size();
    row.text = text;
    row.executed = row.threads = 1;
    row.threads_on = 0;
    table.rows.push_back(row);
  }
  EXPECT_EQ(spinning_instructions(parse_code(table)), 0);
  table.rows[1].threads_on = 1;
  EXPECT_EQ(spinning_instructions(parse_code(table)), 2);
}

}  // namespace
}  // namespace pnsim
