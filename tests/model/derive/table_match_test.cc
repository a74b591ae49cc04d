#include "simulator/model/derive/table_match.h"

#include <gmock/gmock.h>

#include <string>

namespace pnsim {
namespace {

using testing::ElementsAre;

// Launches and tables are letters; equal letters fit exactly, the same letter in another case with
// tolerated differences.
TableMatch matched(const std::string& launches, const std::string& tables,
                   const std::vector<std::size_t>& copies) {
  return match_tables(launches.size(), copies, [&](std::size_t launch, std::size_t table) {
    if (launches[launch] == tables[table]) return Fit::kExact;
    return (launches[launch] ^ tables[table]) == 0x20 ? Fit::kTolerated : Fit::kNone;
  });
}

TEST(TableMatch, SomeTablesArePrintedTwice) {
  const TableMatch match = matched("abc", "abc", {2, 1, 2});
  EXPECT_THAT(match.table, ElementsAre(0, 1, 2));
  EXPECT_EQ(match.unused, 0u);
}

TEST(TableMatch, CopiesMayBeThoseOfEqualLaunches) {
  EXPECT_THAT(matched("aab", "ab", {2, 1}).table, ElementsAre(0, 0, 1));
  EXPECT_THAT(matched("aab", "ab", {4, 2}).table, ElementsAre(0, 0, 1));
  EXPECT_THAT(matched("aaa", "a", {2}).table, ElementsAre(0, 0, kNoTable)) << "one is missing";
  EXPECT_EQ(matched("a", "a", {5}).unused, 3u);
}

TEST(TableMatch, ALaunchWithoutATableAndATableWithoutALaunchAreLeftOut) {
  EXPECT_THAT(matched("axb", "ab", {1, 1}).table, ElementsAre(0, kNoTable, 1));
  const TableMatch match = matched("ab", "axb", {1, 2, 1});
  EXPECT_THAT(match.table, ElementsAre(0, 2));
  EXPECT_EQ(match.unused, 2u);
  EXPECT_THAT(matched("ab", "xy", {1, 1}).table, ElementsAre(kNoTable, kNoTable));
  EXPECT_THAT(matched("a", "", {}).table, ElementsAre(kNoTable));
  EXPECT_EQ(matched("", "ab", {1, 2}).unused, 3u);
}

TEST(TableMatch, AnExactFitIsPreferredToATolerance) {
  EXPECT_THAT(matched("a", "Aa", {1, 1}).table, ElementsAre(1));
  EXPECT_THAT(matched("aA", "Aa", {1, 1}).table, ElementsAre(0, 1)) << "two tables beat one";
}

}  // namespace
}  // namespace pnsim
