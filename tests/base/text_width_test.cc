#include "simulator/base/text_width.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Sets the width of tables for one test.
class Width {
 public:
  explicit Width(std::size_t columns) { set_table_width(columns); }
  ~Width() { set_table_width(kAnyWidth); }
};

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    most = std::max(most, width_of(text.substr(at, end - at)));
    at = end + 1;
  }
  return most;
}

TEST(Broken, BreaksAtBlanksAndLongWordsBehindTheirJoints) {
  EXPECT_THAT(broken("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(broken("native::vectorized_kernel", 10),
              ElementsAre("native::", "vectorized", "_kernel"));
  EXPECT_THAT(broken("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(broken("  in two", 5), ElementsAre("  in", "  two"));
  EXPECT_THAT(broken("", 5), ElementsAre(""));
}

TEST(Broken, CountsLettersAndNotBytes) {
  EXPECT_THAT(broken("\xc3\xa4\xc3\xb6\xc3\xbc", 2), ElementsAre("\xc3\xa4\xc3\xb6", "\xc3\xbc"));
}

TEST(FitLines, KeepsLinesThatFit) {
  const std::string text = "one\n  two   three\n\nfour";
  EXPECT_EQ(fit_lines(text, 40), text);
  EXPECT_EQ(fit_lines(std::string(300, 'x') + " y\n", kAnyWidth), std::string(300, 'x') + " y\n");
}

TEST(FitLines, IndentsWhatFollowsToTheSecondColumn) {
  EXPECT_EQ(fit_lines("steps       seven of them and then some more of them\n", 40),
            "steps       seven of them and then some\n            more of them\n");
  EXPECT_EQ(fit_lines("  words that go on and on until the line ends\n", 40),
            "  words that go on and on until the line\n    ends\n");
}

TEST(FitLines, LeavesPathsWholeAndBreaksLists) {
  const std::string path = "/a/very/long/path/that/is/wider/than/the/terminal/file.json";
  EXPECT_EQ(fit_lines(path + "\n", 40), path + "\n");
  EXPECT_LE(widest(fit_lines("{\"a\":1,\"command\":\"x\",\"commit\":\"y\",\"date\":\"z\"}", 40)),
            40u);
}

TEST(OutputColumns, AreThoseOfCOLUMNSAndAtLeastForty) {
  ::setenv("COLUMNS", "100", 1);
  EXPECT_EQ(output_columns(), 100u);
  ::setenv("COLUMNS", "3", 1);
  EXPECT_EQ(output_columns(), kNarrowestWidth);
  ::unsetenv("COLUMNS");
}

TextTable table_of_texts() {
  TextTable table({"name", "value", "meaning"});
  table.add_row({"l1", "20", "cycles of an access to global memory, beyond those of the issue"});
  table.add_row({"a_rather_long_name_of_a_parameter", "4", "schedulers"});
  return table;
}

TEST(TextTable, BreaksLongTextsInTheirCells) {
  const Width width(44);
  EXPECT_EQ(table_of_texts().text(),
            "name                value  meaning\n"
            "------------------  -----  -----------------\n"
            "l1                     20  cycles of an\n"
            "                           access to global\n"
            "                           memory, beyond\n"
            "                           those of the\n"
            "                           issue\n"
            "a_rather_long_          4  schedulers\n"
            "name_of_a_\n"
            "parameter\n");
}

TEST(TextTable, ThatFitsIsNotChanged) {
  const std::string natural = table_of_texts().text(2);
  const Width width(widest(natural));
  EXPECT_EQ(table_of_texts().text(2), natural);
}

TEST(TextTable, WithManyNumbersBecomesSeveralTables) {
  TextTable table({"program", "first number", "second number", "third number", "fourth number"});
  table.add_row({"copy", "1,234,567.8901", "2,234,567.8901", "3,234,567.8901", "4,234,567.8901"});
  const Width width(40);
  EXPECT_EQ(table.text(),
            "program    first number   second number\n"
            "-------  --------------  --------------\n"
            "copy     1,234,567.8901  2,234,567.8901\n"
            "\n"
            "program    third number   fourth number\n"
            "-------  --------------  --------------\n"
            "copy     3,234,567.8901  4,234,567.8901\n");
}

TEST(TextTable, FitsEveryWidth) {
  TextTable table({"kernel", "at", "long header of numbers", "b", "text"});
  table.add_row({"native::vectorized_elementwise_kernel", "n=1 block=256", "1,000,000", "-",
                 "a text that has quite a few words in it"});
  table.add_row({"k", "n=2", "12.5", "7", ""});
  for (std::size_t columns = kNarrowestWidth; columns < 140; ++columns) {
    const Width width(columns);
    EXPECT_LE(widest(table.text(2)), columns);
    EXPECT_THAT(table.text(2), HasSubstr("1,000,000"));
  }
}

TEST(WideTables, AreForFiles) {
  const std::string natural = table_of_texts().text();
  const Width width(44);
  {
    const WideTables for_files;
    EXPECT_EQ(table_of_texts().text(), natural);
  }
  EXPECT_NE(table_of_texts().text(), natural);
}

}  // namespace
}  // namespace pnsim
