// Totals of a launch dealt out to its warps.
#include <gtest/gtest.h>
// After gtest: rapidcheck's header uses its macros.
#include <rapidcheck/gtest.h>

#include "simulator/model/launch/deal_out.h"

namespace pnsim {
namespace {

std::vector<InstructionCounts> warp_by_warp(const std::vector<WarpKind>& kinds) {
  std::vector<InstructionCounts> out;
  for (const WarpKind& kind : kinds) {
    out.insert(out.end(), static_cast<std::size_t>(kind.warps), total_counts(kind.program, "t"));
  }
  return out;
}

TEST(DealOut, GivesTheFirstWarpsOneMore) {
  const auto warps = warp_by_warp(deal_out({10, 4, 3}, 4));  // 2 r 2, 1 r 0, 0 r 3
  EXPECT_EQ(warps, (std::vector<InstructionCounts>{{3, 1, 1}, {3, 1, 1}, {2, 1, 1}, {2, 1, 0}}));
  EXPECT_EQ(deal_out({8, 4, 0}, 4).size(), 1u);
  EXPECT_EQ(deal_out({10, 4, 3}, 4).size(), 3u);
}

RC_GTEST_PROP(DealOutProperty, KeepsSumsAndIsFair, ()) {
  const auto total = rc::gen::inRange<std::int64_t>(0, 5000);
  const InstructionCounts totals{*total, *total, *total};
  const auto count = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto kinds = deal_out(totals, count);
  RC_ASSERT(kinds.size() <= 4u);
  const auto warps = warp_by_warp(kinds);
  RC_ASSERT(warps.size() == static_cast<std::size_t>(count));
  for (const auto field :
       {&InstructionCounts::arithmetic, &InstructionCounts::shared, &InstructionCounts::global}) {
    std::int64_t sum = 0;
    for (const InstructionCounts& w : warps) sum += w.*field;
    RC_ASSERT(sum == (totals.*field));
    RC_ASSERT((warps.front().*field - warps.back().*field) <= 1);
    for (std::size_t i = 1; i < warps.size(); ++i)
      RC_ASSERT((warps[i - 1].*field) >= (warps[i].*field));
  }
  for (std::size_t k = 1; k < kinds.size(); ++k) {
    RC_ASSERT(!(total_counts(kinds[k - 1].program, "t") == total_counts(kinds[k].program, "t")));
  }
}

}  // namespace
}  // namespace pnsim
