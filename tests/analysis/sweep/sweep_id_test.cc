#include "simulator/analysis/sweep/sweep_id.h"

#include <gtest/gtest.h>

#include "simulator/analysis/sweep/sweep_file.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

TEST(SweepRowId, IsReadBackFromARow) {
  const SweepRowId id{"0123456789abcdef", 16, 300};
  EXPECT_EQ(id.text(), "0123456789abcdef-17/300");
  EXPECT_EQ(row_id_of(R"({"id":"0123456789abcdef-17/300","axes":{}})"), id);
}

TEST(SweepRowId, WhatIsNoRowHasNone) {
  for (const char* row : {"", "{", R"({"id":"x"})", R"({"id":"0123456789abcdeg-1/2"})",
                          R"({"id":"0123456789abcdef-0/2"})", R"({"id":"0123456789abcdef-3/2"})",
                          R"({"id":"0123456789abcdef-1/2)", R"({"id":"0123456789abcdef-1"})",
                          R"({ "id":"0123456789abcdef-1/2"})",
                          R"({"id":"0123456789abcdef-99999999999999999999/2"})"}) {
    EXPECT_EQ(row_id_of(row), std::nullopt) << row;
  }
}

TEST(Shard, TogetherAreAllPointsOnce) {
  for (const std::uint64_t points : {0u, 1u, 2u, 7u, 12u}) {
    for (const std::uint64_t first : {0u, 1u}) {
      std::vector<int> seen(points);
      for (std::uint64_t i = first; i < first + 3; ++i) {
        const Shard shard{i, 3};
        for (std::uint64_t row = 0; row < shard.size(points); ++row) ++seen.at(shard.point(row));
      }
      EXPECT_EQ(seen, std::vector<int>(points, 1));
    }
  }
}

TEST(Shard, IsParsedStrictly) {
  EXPECT_EQ(parse_shard("2/5"), (Shard{2, 5}));
  EXPECT_EQ(parse_shard("0/1"), (Shard{0, 1}));
  for (const char* text :
       {"", "1", "1/", "/2", "1/0", "3/2", "-1/2", "1/2x", " 1/2", "1/2000000"}) {
    test::error_of(ExitCode::kUsage, [&] { parse_shard(text); });
  }
  const std::string long_text(10'000, '1');
  EXPECT_LT(test::error_of(ExitCode::kUsage, [&] { parse_shard(long_text); }).size(), 500u);
}

}  // namespace
}  // namespace pnsim
