#include "simulator/base/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace pnsim {
namespace {

TEST(TextTable, AlignsNumbersRightAndTextLeft) {
  TextTable table({"kernel", "steps", "error", "note"});
  table.add_row({"up", "9", "1.5 %", "first"});
  table.add_row({"down_sweep", "1,234", "-", ""});
  EXPECT_EQ(table.text(),
            "kernel      steps  error  note\n"
            "----------  -----  -----  -----\n"
            "up              9  1.5 %  first\n"
            "down_sweep  1,234      -\n");
}

TEST(TextTable, IndentsEveryLine) {
  TextTable table({"a"});
  table.add_row({"x"});
  EXPECT_EQ(table.text(2), "  a\n  -\n  x\n");
}

TEST(TextTable, CountsLettersAndNotBytes) {
  TextTable table({"name", "b"});
  table.add_row({"\xc3\xa4\xc3\xb6", "x"});  // two letters of two bytes each
  table.add_row({"abcd", "y"});
  EXPECT_EQ(table.text(), "name  b\n----  -\n\xc3\xa4\xc3\xb6    x\nabcd  y\n");
}

TEST(TextTable, WithoutRowsIsItsHeader) {
  const TextTable table({"a", "bc"});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text(), "a  bc\n-  --\n");
}

TEST(TextTable, ShowsControlCharactersAsQuestionMarks) {
  const MadeTables made;
  TextTable table({"name", "note"});
  table.add_row({"a\nb", "\x1b[31m\t\x7f"});
  EXPECT_EQ(table.text(), "name  note\n----  -------\na?b   ?[31m??\n");
  EXPECT_EQ(made.all().at(0).rows.at(0).at(0), "a\nb") << "other forms have the name as it is";
}

TEST(TextTable, RefusesARowOfAnotherWidth) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.add_row({"1"}), std::logic_error);
  EXPECT_TRUE(table.empty());
}

TEST(Fixed, HasItsDecimals) {
  EXPECT_EQ(fixed(12.345, 1), "12.3");
  EXPECT_EQ(fixed(-0.5, 2), "-0.50");
  EXPECT_EQ(fixed(2.0 / 3, 0), "1");
  EXPECT_EQ(fixed(std::nan(""), 3), "-");
}

TEST(Significant, HasItsDigits) {
  EXPECT_EQ(significant(0.0012345, 3), "0.00123");
  EXPECT_EQ(significant(12.345, 3), "12.3");
  EXPECT_EQ(significant(-12345.6, 3), "-12346");  // never fewer digits than the integer part has
  EXPECT_EQ(significant(0, 3), "0");
  EXPECT_EQ(significant(1e-9, 3), "1.00e-09");
  EXPECT_EQ(significant(123456789012.0, 3), "1.23e+11");
  EXPECT_EQ(significant(std::nan(""), 3), "-");
}

TEST(Significant, CountsDigitsAfterRounding) {
  EXPECT_EQ(significant(9.999, 3), "10.0");
  EXPECT_EQ(significant(0.09996, 3), "0.100");
  EXPECT_EQ(significant(99.95, 2), "100");
}

TEST(Significant, ShowsInfinity) {
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity(), 3), "inf");
  EXPECT_EQ(significant(-std::numeric_limits<double>::infinity(), 3), "-inf");
}

TEST(Grouped, PutsCommasBetweenThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(std::numeric_limits<long long>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace pnsim
