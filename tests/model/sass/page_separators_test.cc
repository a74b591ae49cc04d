// Pages whose cells stand between semicolons: which mark is the decimal one, and where numbers of
// one page contradict each other.
#include "simulator/model/sass/page_separators.h"

#include <gtest/gtest.h>

#include "simulator/base/csv.h"
#include "simulator/model/sass/page_text.h"
#include "simulator/model/sass/source_page.h"
#include "tests/model/derive/raw_page.h"

namespace pnsim {
namespace {

using test::input_error_of;

TEST(PageSeparators, NumbersAreRewrittenWhereTheCommaIsTheDecimalMark) {
  EXPECT_EQ(with_commas("a;1.234,5;1.234;7\n"), "a,1234.5,1234,7\n");
  EXPECT_EQ(with_commas("0,5;1.234.567;\"x; y\";9.0\n"), "0.5,1234567,\"x; y\",9.0\n");
  // Without a decimal comma the numbers stay, and "1,234" is quoted.
  EXPECT_EQ(with_commas("1,234;5.25;(1, 1, 1)\r\n"), "\"1,234\",5.25,\"(1, 1, 1)\"\r\n");
  EXPECT_EQ(with_commas("4\u202F096,5;4'096;\"a'b\"\n"), "4096.5,4096,\"a'b\"\n");
  EXPECT_EQ(with_commas("1;\"never closed;2\n"), "1,\"never closed;2\n");
  EXPECT_EQ(with_commas(""), "");
}

// An address in the column "Host Name" told a decimal comma, and "1.234" was read as 1234.
TEST(PageSeparators, AnAddressTellsNoDecimalMark) {
  EXPECT_EQ(with_commas("127.0.0.1;1.234;5.5\n"), "127.0.0.1,1.234,5.5\n");
  EXPECT_EQ(with_commas("10.117.23.45;1.234\n"), "10.117.23.45,1.234\n");
}

constexpr const char* kRawHead = "ID;Host Name;CC;a__time.sum;b__bytes.sum\n;;;us;byte\n";

std::string fault_of(const std::string& rows) {
  return input_error_of([&] { page_of(kRawHead + rows, "raw.csv"); });
}

TEST(PageSeparators, NumbersWithBothDecimalMarksAreRefused) {
  const std::string next =
      "), expected one decimal mark in all numbers; make the page again with: ncu --import "
      "rep.ncu-rep --page raw --csv > raw.csv";
  EXPECT_EQ(fault_of("0;h;9.0;1,5;2\r\n\r\n1;h;9.0;1.5;1.234\r\n"),
            "raw.csv: row 4, column a__time.sum: found \"1.5\" beside \"1,5\" (row 3, column "
            "a__time.sum" +
                next);
  EXPECT_EQ(fault_of("0;h;9.0;\"1,234,567.8\";\"1.234.567,8\"\n"),
            "raw.csv: row 3, column b__bytes.sum: found \"1.234.567,8\" beside \"1,234,567.8\" "
            "(row 3, column a__time.sum" +
                next);
  EXPECT_NE(fault_of("0;h;9.0;1,234,567;2,5\n").find("found \"2,5\" beside \"1,234,567\""),
            std::string::npos);
}

TEST(PageSeparators, SeparatorsOfThousandsContradictNothing) {
  for (const char* rows :
       {"0;127.0.0.1;9.0;1,234,567.8;1,234\n1;h;9.0;2.5;1.234\n",
        "0;127.0.0.1;9.0;1.234.567,8;1.234\n1;h;9.0;2,5;1,234\n", "0;h;9.0;1'234,5;4'096\n"}) {
    EXPECT_NO_THROW(page_of(std::string(kRawHead) + rows, "raw.csv")) << rows;
  }
}

TEST(PageSeparators, NumbersOfASourcePageWithBothDecimalMarksAreRefused) {
  const std::string page =
      "Kernel Name;\"k(1.5)\"\nAddress;Source;Instructions Executed;Avg. Threads Executed\n"
      "0x10;NOP;1.024;31,5\n";
  EXPECT_EQ(read_source_page(page, "source.csv").at(0).rows[0].executed, 1024);
  EXPECT_EQ(input_error_of([&] { read_source_page(page + "0x20;EXIT;1;31.5\n", "source.csv"); }),
            "source.csv: row 4, column Avg. Threads Executed: found \"31.5\" beside \"31,5\" (row "
            "3, column Avg. Threads Executed), expected one decimal mark in all numbers; make the "
            "page again with: ncu --import rep.ncu-rep --page source --csv --print-source sass > "
            "source.csv");
}

}  // namespace
}  // namespace pnsim
