// Inputs that would fill the memory are refused first, and messages quote only a short part of
// them.
#include <gmock/gmock.h>

#include <sstream>

#include "simulator/base/axis.h"
#include "simulator/base/csv.h"
#include "simulator/base/json.h"
#include "simulator/base/read_line.h"
#include "simulator/base/rows.h"
#include "simulator/base/svg_plot.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::error_of;
using test::input_error_of;
using testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(JsonBounds, ValuesAreCountedBeforeTheyAreKept) {
  for (const std::string unit : {"{},", "[],", "0,", "\"\",", "{\"\":0},"}) {
    const std::string text = "[" + repeated(unit, 1000) + "0]";
    JsonMemory enough;
    EXPECT_EQ(parse_json(text, "t", enough).size(), 1001u);
    EXPECT_GE(enough.used, 32'000u) << unit;
    JsonMemory little{enough.used - 1, 0};
    EXPECT_THAT(error_of(ExitCode::kLimit, [&] { parse_json(text, "t", little); }),
                HasSubstr("t: its values take more than "));
  }
}

// Text and values are in memory at the same time.
TEST(JsonBounds, TheTextAtHandCountsAsWell) {
  JsonMemory memory{1000, 0};
  EXPECT_THAT(error_of(ExitCode::kLimit,
                       [&] { parse_json("[0" + std::string(1000, ' ') + "]", "t", memory); }),
              HasSubstr("t: its values take more than 1000 bytes"));
  JsonMemory again{1000, 0};
  for (int i = 0; i < 5; ++i) parse_json("0" + std::string(500, ' '), "t", again);
  EXPECT_LT(again.used, 500u) << "a text that is parsed no longer counts";
}

// The memory of several texts counts against one bound.
TEST(JsonBounds, OneBoundMayHoldForManyTexts) {
  JsonMemory memory{200, 0};
  parse_json("[0,1]", "t", memory);
  EXPECT_THAT(error_of(ExitCode::kLimit, [&] { parse_json("[0,1]", "t", memory); }),
              HasSubstr("memory"));
}

TEST(CsvBounds, CellsAreCountedBeforeTheyAreKept) {
  EXPECT_EQ(parse_csv("a,b\nc,d\n", "t", 4).size(), 2u);
  EXPECT_THAT(error_of(ExitCode::kLimit, [] { parse_csv("a,b\nc,d,\n", "t", 4); }),
              HasSubstr("t: line 2: more cells"));
  EXPECT_THAT(error_of(ExitCode::kLimit, [] { parse_csv(",,,,,", "t", 4); }),
              HasSubstr("t: line 1"));
}

TEST(ReadLine, IsAsGetlineButForLinesThatAreTooLong) {
  std::istringstream in("ab\n\nabc");
  std::string line;
  EXPECT_TRUE(read_line(in, line, "t", 3));
  EXPECT_EQ(line, "ab");
  EXPECT_TRUE(read_line(in, line, "t", 3));
  EXPECT_EQ(line, "");
  EXPECT_FALSE(in.eof());
  EXPECT_TRUE(read_line(in, line, "t", 3));
  EXPECT_EQ(line, "abc");
  EXPECT_TRUE(in.eof());
  EXPECT_FALSE(read_line(in, line, "t", 3));
  std::istringstream is_long("abcd\n");
  EXPECT_EQ(input_error_of([&] { read_line(is_long, line, "t: line 1", 3); }),
            "t: line 1: found a line of over 3 bytes");
}

TEST(Messages, RepeatNoLongAxisEvenWithQuotes) {
  const std::string text = "net=[a" + repeated("\"b\" \n{", 3000);
  const std::string said = error_of(ExitCode::kUsage, [&] { parse_axis(text); });
  EXPECT_LT(said.size(), 1200u);
  EXPECT_THAT(said, HasSubstr("examples: l1=[10:200:10]"));
}

TEST(Messages, RepeatAtMost200CharactersOfAnInput) {
  const std::string text = repeated("x", 100'000);
  const std::string said =
      input_error_of([&] { parse_json("{\"" + text + "\": 1, \"" + text + "\": 2}", "t.json"); });
  EXPECT_LT(said.size(), 7000u);
  EXPECT_LT(input_error_of([&] { fail_input("t", "found \"" + text + "\", expected 'y'"); }).size(),
            300u);
  EXPECT_THAT(input_error_of([&] { fail_input("t", "found \"" + text + "\", expected 'y'"); }),
              HasSubstr("...\", expected 'y'"));
  EXPECT_LT(input_error_of([&] { parse_json("[\"" + text, "t"); }).size(), 1000u);
  EXPECT_LT(input_error_of([&] { parse_json("[\"\\x" + text + "\"]", "t"); }).size(), 1000u);
  const std::string quotes = repeated("\\\"' b", 2000);
  EXPECT_LT(input_error_of([&] { parse_json("[\"" + quotes, "t"); }).size(), 1000u);
  EXPECT_LT(input_error_of([&] { fail_input("t: /" + text, "found '\""); }).size(), 300u);
  const std::string path = "/" + repeated("p", 255);
  EXPECT_EQ(input_error_of([&] { fail_input(path + path, "no"); }), path + path + ": no");
  // A character of several bytes is kept whole or not at all.
  const std::string cut =
      input_error_of([&] { fail_input("t", "found \"x" + repeated("\xC3\xA4", 300) + "\""); });
  EXPECT_EQ(cut, "t: found \"x" + repeated("\xC3\xA4", 99) + "...\"");
}

TEST(Messages, NumbersOutOfRangeHaveTheirPlace) {
  EXPECT_EQ(input_error_of([] { parse_json(R"({"a": [1, {"b": 1e400}]})", "t.json"); }),
            "t.json: /a/1/b: a number is out of range: found 1e400, expected one that a 64-bit "
            "floating-point number holds");
}

// Every combination of values must give a plot of finite size.
TEST(PlotBounds, TicksAreBoundedForAnyNumbers) {
  for (const double value : {1e-320, 1e300, 1e17}) {
    for (const double factor : {1.0, 1e-320, 1e300, 1.0 / 0.0, 0.0}) {
      Plot plot;
      plot.y.scale = Scale::kLog10;
      plot.right_label = "r";
      plot.right_factor = factor;
      plot.series.push_back({"s",
                             {value, std::nextafter(value, 2 * value)},
                             {value, 2 * value},
                             0,
                             true,
                             false,
                             true});
      EXPECT_LT(svg_text(plot).size(), 200'000u);
      plot.y.scale = Scale::kLinear;
      EXPECT_LT(svg_text(plot).size(), 200'000u);
    }
  }
}

}  // namespace
}  // namespace pnsim
