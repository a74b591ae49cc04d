#include "simulator/model/sass/code_fetch.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace pnsim {
namespace {

constexpr std::size_t kLine = 8;  // instructions of 16 bytes

struct Lines {
  std::size_t first = 0, last = 0;
};

// Code of so many lines, of which these were executed.
Code code_of(std::size_t lines, std::initializer_list<Lines> executed) {
  Code code(lines * kLine);
  for (const Lines& range : executed) {
    for (std::size_t i = range.first * kLine; i < (range.last + 1) * kLine; ++i)
      code[i].row.executed = 4;
  }
  return code;
}

TEST(CodeFetch, TheFirst4KiBAreThere) {
  EXPECT_TRUE(code_fetch(code_of(32, {{0, 31}})).is_empty());
  EXPECT_TRUE(code_fetch(code_of(100, {{0, 20}})).is_empty()) << "not executed";
  EXPECT_TRUE(code_fetch({}).is_empty());
}

TEST(CodeFetch, StraightCodeHasLines) {
  const CodeFetch fetch = code_fetch(code_of(50, {{0, 49}}));
  EXPECT_EQ(fetch.lines, 18);
  EXPECT_EQ(fetch.jumps + fetch.far_lines + fetch.far_jumps, 0);
}

TEST(CodeFetch, ShortGapsAreFetchedAndLongOnesJumpedOver) {
  const CodeFetch fetch = code_fetch(code_of(100, {{0, 39}, {42, 42}, {46, 47}}));
  EXPECT_EQ(fetch.lines, 8 + 3 + 1) << "32 to 39, 40 to 42, 47";
  EXPECT_EQ(fetch.jumps, 1) << "to 46, over 3 lines";
}

TEST(CodeFetch, OneInstructionOfALineIsEnough) {
  Code code = code_of(100, {{0, 0}});
  code[60 * kLine + 5].row.executed = 1;
  EXPECT_EQ(code_fetch(code).jumps, 1);
}

TEST(CodeFetch, LinesWithAnExecutedInstructionAreExecuted) {
  EXPECT_EQ(code_fetch(code_of(100, {{0, 39}, {42, 42}, {46, 47}})).executed_bytes, 43 * 128);
  EXPECT_EQ(code_fetch(code_of(1, {{0, 0}})).executed_bytes, 128);
}

TEST(CodeFetch, CodeBehind64KiBIsFar) {
  const CodeFetch fetch = code_fetch(code_of(700, {{0, 0}, {510, 513}, {600, 601}}));
  EXPECT_EQ(fetch.jumps, 1);
  EXPECT_EQ(fetch.lines, 1) << "511";
  EXPECT_EQ(fetch.far_lines, 2 + 1) << "512, 513, 601";
  EXPECT_EQ(fetch.far_jumps, 1);
}

}  // namespace
}  // namespace pnsim
