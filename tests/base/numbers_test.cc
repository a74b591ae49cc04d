#include "simulator/base/numbers.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

TEST(FaultOfU64, TakesDecimalDigitsUpToTheLargestNumber) {
  for (const char* text : {"0", "1", "10", "18446744073709551615"}) {
    EXPECT_EQ(fault_of_u64(text), "") << text;
  }
}

TEST(FaultOfU64, RefusesEverythingElse) {
  for (const char* text : {"", "-1", "+1", "010", "1.5", "1e3", "0x10", " 1", "1 ",
                           "18446744073709551616", "99999999999999999999"}) {
    EXPECT_NE(fault_of_u64(text), "") << text;
  }
}

}  // namespace
}  // namespace pnsim
