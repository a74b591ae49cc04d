#include "simulator/base/csv.h"

#include <gtest/gtest.h>
// Included after gtest, because rapidcheck's header uses its macros.
#include <rapidcheck/gtest.h>

#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TEST(ParseCsv, SplitsRowsAndCells) {
  EXPECT_EQ(parse_csv("a,b\n1,2\n", "t"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse_csv("a,b\n1,2", "t"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(parse_csv("a,,\n,\n", "t"), (Rows{{"a", "", ""}, {"", ""}}));
  EXPECT_EQ(parse_csv("", "t"), Rows{});
}

TEST(ParseCsv, TakesLinesThatEndInCrLf) {
  EXPECT_EQ(parse_csv("a,b\r\n1,2\r\n", "t"), (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST(ParseCsv, LeavesBlankLinesOut) {
  EXPECT_EQ(parse_csv("\n\na\n\r\n\nb\n\n", "t"), (Rows{{"a"}, {"b"}}));
}

TEST(ParseCsv, KeepsWhatIsQuoted) {
  EXPECT_EQ(parse_csv("\"a,b\",\"say \"\"hi\"\"\",\"x\ny\r\nz\"\n", "t"),
            (Rows{{"a,b", "say \"hi\"", "x\ny\r\nz"}}));
  EXPECT_EQ(parse_csv("\"\",\"\"\"\"\n", "t"), (Rows{{"", "\""}}));
}

TEST(ParseCsv, AQuotedEmptyCellIsARowOfItsOwn) {
  EXPECT_EQ(parse_csv("\"\"\na\n\"\"", "t"), (Rows{{""}, {"a"}, {""}}));
}

TEST(ParseCsv, TakesAQuoteInsideACellAsItIs) {
  EXPECT_EQ(parse_csv("5\" disk,b\n", "t"), (Rows{{"5\" disk", "b"}}));
}

TEST(ParseCsv, NamesTheLineOfAQuoteThatIsNeverClosed) {
  const auto fault = [](const std::string& text) {
    return test::input_error_of([&] { parse_csv(text, "t.csv"); });
  };
  EXPECT_EQ(fault("\"a"),
            "t.csv: line 1: found an opening quote that is never closed, expected a closing one");
  EXPECT_EQ(fault("a\n\"b\nc\"\n\nd,\"e\nf\n"),
            "t.csv: line 5: found an opening quote that is never closed, expected a closing one");
}

TEST(CsvLine, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(csv_line({"a", "1.5", ""}), "a,1.5,\n");
  EXPECT_EQ(csv_line({"a,b", "say \"hi\"", "x\ny"}), "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\n");
  EXPECT_EQ(csv_line({""}), "\"\"\n");
  EXPECT_EQ(csv_line({"a\tb", "\x1b[31m", "c"}), "\"a\tb\",\"\x1b[31m\",c\n");
}

RC_GTEST_PROP(CsvProperty, WhatIsWrittenIsRead, ()) {
  const auto cell = rc::gen::container<std::string>(rc::gen::elementOf(std::string("a1 ,\"\n\r;")));
  const auto row = rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(cell));
  const auto rows = *rc::gen::resize(12, rc::gen::container<Rows>(row));
  std::string text;
  for (const auto& cells : rows) text += csv_line(cells);
  RC_ASSERT(parse_csv(text, "t") == rows);
}

TEST(CsvName, NeedsNoQuotes) {
  EXPECT_EQ(csv_name("l1 (steps)"), "l1_steps");
  EXPECT_EQ(csv_name("xg* (factor)"), "xg_factor");
  EXPECT_EQ(csv_name("wpnm, one scale"), "wpnm_one_scale");
  EXPECT_EQ(csv_name("MWP-CWP: us"), "MWP_CWP_us");
  EXPECT_EQ(csv_name("time_us"), "time_us");
  EXPECT_EQ(csv_name("µ (s)"), "µ_s");
}

}  // namespace
}  // namespace pnsim
