#include "simulator/base/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pnsim {
namespace {

TEST(FaultOfU64, TakesDecimalDigitsUpToTheLargestNumber) {
  for (const char* text : {"0", "1", "10", "18446744073709551615"}) {
    EXPECT_EQ(fault_of_u64(text), "") << text;
  }
}

TEST(Numbers, APercentageIsFromZeroToAHundred) {
  for (const std::string text : {"0", "2.5", "100"}) EXPECT_EQ(fault_of_percent(text), "");
  for (const std::string text : {"", "-1", "100.5", "nan", "inf", "5%", "5 %"}) {
    EXPECT_NE(fault_of_percent(text), "") << text;
  }
}

TEST(FaultOfU64, RefusesEverythingElse) {
  for (const char* text : {"", "-1", "+1", "010", "1.5", "1e3", "0x10", " 1", "1 ",
                           "18446744073709551616", "99999999999999999999"}) {
    EXPECT_NE(fault_of_u64(text), "") << text;
  }
}

TEST(FaultOfDecimal, TakesNoZerosBeforeTheDigitsAndNoOtherBase) {
  for (const char* text : {"0", "-1", "10", "99999999999999999999"}) {
    EXPECT_EQ(fault_of_decimal(text), "") << text;
  }
  for (const char* text : {"", "-", "+1", "010", "-010", "0x10", "0b1", "1'000", " 1", "1.0"}) {
    EXPECT_NE(fault_of_decimal(text), "") << text;
  }
}

TEST(Numbers, MayBePowers) {
  EXPECT_EQ(parse_integer_or_power("2^20"), 1 << 20);
  EXPECT_EQ(parse_integer_or_power("-12"), -12);
  for (const char* text : {"2^63", "2^-1", "2^", "^2", "2^2^2", "2^x", "", "1M"}) {
    EXPECT_EQ(parse_integer_or_power(text), std::nullopt) << text;
  }
}

// Both ways to read a double accept the same texts and give the same number.
TEST(ParseDouble, ByStrtodIsAsByTheLibrary) {
  for (const char* text : {"0",
                           "-0",
                           "3",
                           "3.",
                           ".5",
                           "-2.5e-3",
                           "1e308",
                           "1e309",
                           "-1e400",
                           "1e-400",
                           "5e-324",
                           "1e-310",
                           "0.1",
                           "9007199254740993",
                           "3.35e12",
                           "inf",
                           "-inf",
                           "Infinity",
                           "nan",
                           "",
                           "-",
                           "+1",
                           " 1",
                           "1 ",
                           "0x10",
                           "1e",
                           "1e+",
                           "e5",
                           ".",
                           "1,5",
                           "--1",
                           "1.2.3",
                           "123456789012345678901234567890",
                           "2.2250738585072011e-308",
                           "0.000000000000000000000000000000000000001",
                           "1_0",
                           "--",
                           "i"}) {
    const auto here = parse_double(text), there = parse_double_by_strtod(text);
    ASSERT_EQ(here.has_value(), there.has_value()) << text;
    if (!here) continue;
    EXPECT_EQ(std::isnan(*here), std::isnan(*there)) << text;
    EXPECT_TRUE(std::isnan(*here) || *here == *there) << text;
    EXPECT_EQ(std::signbit(*here), std::signbit(*there)) << text;
  }
}

TEST(ParseDouble, TakesTheWholeText) {
  EXPECT_EQ(parse_double("2.5e1"), 25.0);
  EXPECT_EQ(parse_double("2.5 "), std::nullopt);
  EXPECT_EQ(parse_double("1e400"), std::nullopt);
}

TEST(WithoutSeparators, AcceptsThoseOfOtherLocales) {
  for (const char* text : {"4,096", "4'096", "4\u2019096", "4\u00A0096", "4\u202F096"}) {
    EXPECT_EQ(without_separators(text), "4096") << text;
  }
  EXPECT_EQ(without_separators("-1'234'567.5"), "-1234567.5");
  for (const char* text : {"4'09", "'096", "1234'567", "1.5'000"}) {
    EXPECT_EQ(without_separators(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace pnsim
