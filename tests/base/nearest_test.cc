#include "simulator/base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace pnsim {
namespace {

using Names = std::vector<std::string>;

const Names kKnown = {"arithmetic", "shared", "global", "l1", "l2"};

TEST(NearestName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest_name("arithmetik", kKnown), "arithmetic");
  EXPECT_EQ(nearest_name("shard", kKnown), "shared");
  EXPECT_EQ(nearest_name("gobal", kKnown), "global");
  EXPECT_EQ(nearest_name("l1", kKnown), "l1");
}

TEST(NearestName, TakesUpperAndLowerCaseAsEqual) {
  EXPECT_EQ(nearest_name("GLOBAL", kKnown), "global");
  EXPECT_EQ(nearest_name("L2", kKnown), "l2");
}

TEST(NearestName, IsTheFirstOfEquals) { EXPECT_EQ(nearest_name("l3", kKnown), "l1"); }

TEST(NearestName, IsNothingWhenMoreThanHalfIsWrong) {
  EXPECT_EQ(nearest_name("xyz", kKnown), "");
  EXPECT_EQ(nearest_name("ab", Names{"cd"}), "");
  EXPECT_EQ(nearest_name("ab", Names{"ad"}), "ad");  // exactly half
  EXPECT_EQ(nearest_name("l1", Names{}), "");
}

TEST(NearestName, IsNothingForUnrelatedNames) {
  const std::string endless(100'000, 'x');
  EXPECT_EQ(nearest_name(endless, Names{endless}), "");
  EXPECT_EQ(nearest_name("x", Names{endless}), "");
}

TEST(Suggestion, NamesTheNearestOrListsAFew) {
  EXPECT_EQ(suggestion("shraed", kKnown), "; did you mean \"shared\"?");
  EXPECT_EQ(suggestion("zzz", kKnown), "; known: arithmetic, shared, global, l1, l2");
  EXPECT_EQ(suggestion("zzz", Names{}), "");
  EXPECT_EQ(suggestion("zzz", Names(12, "a")).substr(0, 15), "; known: a, a, ");
  EXPECT_EQ(suggestion("zzz", Names(21, "a")), "");
}

}  // namespace
}  // namespace pnsim
