#include "simulator/model/sass/constant_use.h"

#include <gtest/gtest.h>

#include "simulator/model/launch/counters.h"

namespace pnsim {
namespace {

Code code_of(const std::vector<std::string>& lines, std::int64_t executed = 1) {
  Code code;
  for (const std::string& line : lines) {
    CodeLine one;
    one.row.text = line;
    one.row.executed = executed;
    one.sass = parse_sass(line);
    code.push_back(one);
  }
  return code;
}

// The code of o[i] = x[i]: the block's shape and the pointers are loaded together.
TEST(ConstantUse, LinesRequestedTogetherAreOneWait) {
  const ConstantUse use = constant_use(
      code_of({"LDC R1, c[0x0][0x28]", "S2R R0, SR_TID.X", "LDC R7, c[0x0][RZ]",
               "LDC.64 R2, c[0x0][0x210]", "IMAD R7, R7, UR4, R0", "IMAD.WIDE R2, R7, 0x4, R2"}),
      1);
  EXPECT_EQ(use.waits, 1);
  EXPECT_EQ(use.own_lines, 0);
}

// if (i < n) o[i] = x[i]: the parameters are requested after the index.
TEST(ConstantUse, ParametersBehindTheIndexAreAnotherWait) {
  const std::vector<std::string> lines{
      "LDC R7, c[0x0][RZ]",       "IMAD R7, R7, UR4, R0",
      "ULDC UR4, c[0x0][0x210]",  "ISETP.GE.AND P0, PT, R7, UR4, PT",
      "LDC.64 R2, c[0x0][0x218]", "IMAD.WIDE R2, R7, 0x4, R2"};
  EXPECT_EQ(constant_use(code_of(lines), 1).waits, 2);
}

TEST(ConstantUse, ConstantsThatAreNotReadAreNotWaitedFor) {
  EXPECT_EQ(constant_use(code_of({"LDC R1, c[0x0][0x28]", "EXIT"}), 1).waits, 0);
  EXPECT_EQ(constant_use(code_of({"ULDC UR4, c[0x0][0x210]"}, 0), 1).waits, 0) << "not executed";
}

TEST(ConstantUse, OverwrittenConstantsAreNotWaitedFor) {
  EXPECT_EQ(
      constant_use(code_of({"LDC R7, c[0x0][0x210]", "MOV R7, 0x1", "IADD3 R8, R7, R7, RZ"}), 1)
          .waits,
      0);
}

TEST(ConstantUse, OwnConstantsAtComputedAddressesAreCounted) {
  const std::vector<std::string> lines{"LDC R4, c[0x3][R5]", "LDC R6, c[0x3][0x8]",
                                       "LDC R7, c[0x0][R5+0x210]"};
  EXPECT_EQ(constant_use(code_of(lines, 16), 4).indexed_loads, 16);
}

TEST(ConstantUse, OwnConstantsAreCountedByLines) {
  const ConstantUse direct =
      constant_use(code_of({"FFMA R0, R1, c[0x3][0x0], R2", "FFMA R0, R1, c[0x3][0x3c], R2",
                            "FFMA R0, R1, c[0x3][0x40], R2", "FFMA R0, R1, c[0x3][0x100], R2"}),
                   1);
  EXPECT_EQ(direct.own_lines, 3);
  EXPECT_EQ(direct.waits, 0) << "their lines are counted separately";
  // 49 loads a warp one after the other, by 8 warps.
  const ConstantUse indexed = constant_use(code_of({"LDC R12, c[0x3][R13+0x4]"}, 8 * 49), 8);
  EXPECT_EQ(indexed.own_lines, 4);
  const ConstantUse huge =
      constant_use(code_of({"LDC R12, c[0x3][R13]"}, std::int64_t{1} << 62), 1);
  EXPECT_EQ(huge.own_lines, 1024) << "a bank has 64 KiB";
}

TEST(ConstantUse, OtherTextIsNoConstant) {
  const ConstantUse use =
      constant_use(code_of({"FFMA R0, R1, c[0x3", "FFMA R0, R1, c[0x3]", "MOV R1, c[UR4][0x0]",
                            "LDC R1, c[0x0][0xffffffffffffffffffff]", "BRA 0x10"}),
                   0);
  EXPECT_EQ(use.own_lines, 0);
  EXPECT_EQ(use.waits, 0);
}

TEST(ConstantUse, EveryLaunchOfAModuleHasTheCounters) {
  Launch with, without;
  set_constant_use({{1, 4}, {0, 0}}, {&with, &without});
  EXPECT_EQ(with.counters.at(kConstantLines), 4);
  EXPECT_EQ(without.counters.at(kConstantWaits), 1) << "as an empty kernel waits";
  Launch alone;
  set_constant_use({{2, 0}}, {&alone});
  EXPECT_TRUE(alone.counters.empty());
}

}  // namespace
}  // namespace pnsim
