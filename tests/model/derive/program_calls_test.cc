// Tests where the code of called functions stands in the programs of the warps.
#include <gtest/gtest.h>

#include "simulator/model/derive/infer_programs.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

std::string first_program(const Launch& launch) {
  return test::text_of(launch.warp_kinds.at(0).program);
}

// Instructions of the class in a segment.
double count_of(const Launch& launch, std::size_t segment, const std::string& of_class) {
  const auto& classes = launch.segments.at(segment).classes;
  const auto found = classes.find(of_class);
  return found == classes.end() ? 0 : found->second;
}

TEST(CalledCode, StandsBehindItsCall) {
  const Launch k = test::programs_of({{"@P0 BRA 0x30", 4},
                                      {"CALL.REL.NOINC 0x40", 1},
                                      {"FADD R2, R2, R2", 1},
                                      {"EXIT", 4},
                                      {"MUFU.RCP R1, R2", 1},
                                      {"RET.REL.NODEC R4 0x0", 1}},
                                     1, 128);
  EXPECT_EQ(first_program(k), "0 1 2");
  EXPECT_EQ(count_of(k, 1, "control"), 2);
  EXPECT_EQ(count_of(k, 1, "special"), 1);
  EXPECT_EQ(count_of(k, 1, "fp32"), 1);
}

// Two virtual functions: the call in the loop executes the second one, the call behind it the
// first. The address beside the register is that of the kernel.
TEST(CalledCode, FollowsThePointersCallWithItsNumberOfExecutions) {
  const Launch k = test::programs_of({{"MOV R14, R1", 4},
                                      {"FADD R2, R2, R2", 12},
                                      {"CALL.REL.NOINC R14, 0x0", 12},
                                      {"@P0 BRA 0x10", 12},
                                      {"CALL.REL.NOINC R16, 0x0", 4},
                                      {"EXIT", 4},
                                      {"DADD R4, R4, R4", 4},
                                      {"RET.REL.NODEC R20, 0x0", 4},
                                      {"IADD3 R6, R6, R6, RZ", 12},
                                      {"RET.REL.NODEC R20, 0x0", 12}},
                                     1, 128);
  EXPECT_EQ(test::blocks_text(k), "4*0") << "all warps are alike";
  EXPECT_EQ(first_program(k), "0 3x(1) 2");
  EXPECT_EQ(count_of(k, 1, "int"), 1) << "the second function, in the loop";
  EXPECT_EQ(count_of(k, 2, "fp64"), 1) << "the first one, behind it";
}

// The helper is listed before the virtual function that calls it.
TEST(CalledCode, StandsInTheFunctionThatAPointerNames) {
  const Launch k = test::programs_of({{"MOV R14, R1", 4},
                                      {"FADD R2, R2, R2", 12},
                                      {"CALL.REL.NOINC R14, 0x0", 12},
                                      {"@P0 BRA 0x10", 12},
                                      {"EXIT", 4},
                                      {"DADD R4, R4, R4", 12},
                                      {"RET.REL.NODEC R22, 0x0", 12},
                                      {"IADD3 R6, R6, R6, RZ", 12},
                                      {"CALL.REL.NOINC 0x50", 12},
                                      {"RET.REL.NODEC R20, 0x0", 12}},
                                     1, 128);
  EXPECT_EQ(first_program(k), "0 3x(1) 2");
  EXPECT_EQ(count_of(k, 1, "int"), 1);
  EXPECT_EQ(count_of(k, 1, "fp64"), 1);
}

// The cases of an indirect branch are no functions.
TEST(CalledCode, IsNoCaseOfASwitch) {
  const Launch k = test::programs_of({{"CALL.REL.NOINC R14, 0x0", 4},
                                      {"BRX R4 -0x10", 4},
                                      {"FADD R2, R2, R2", 2},
                                      {"BRA 0x60", 2},
                                      {"DADD R4, R4, R4", 2},
                                      {"BRA 0x60", 2},
                                      {"EXIT", 4},
                                      {"IADD3 R6, R6, R6, RZ", 4},
                                      {"RET.REL.NODEC R20, 0x0", 4}},
                                     1, 128);
  EXPECT_EQ(count_of(k, 0, "int"), 1) << "the function, before the switch";
  EXPECT_EQ(count_of(k, 0, "fp32") + count_of(k, 0, "fp64"), 0);
}

}  // namespace
}  // namespace pnsim
