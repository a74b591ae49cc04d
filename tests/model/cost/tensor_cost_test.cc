// What products of matrices and asynchronous copies cost.
#include <gtest/gtest.h>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

TEST(TensorCost, ProductsTakeTheTensorCore) {
  const CostedLaunch model(h200(), {}, 132);
  Segment products = arithmetic(4, 0);
  products.classes["tensor"] = 10;
  products.tensor_products = {{"mma_k32_bytes", 10}};
  EXPECT_NEAR(model.cost(products).tensor, 10 * h200().value("hmma_m16n8k16_f16_cycles"), 1e-9);
  EXPECT_NEAR(model.cost(products).work, model.cost(products).tensor, 1e-9) << "in order";
  products.tensor_products = {{"wgmma_columns", 256}};
  const SegmentCost group = model.cost(products);
  EXPECT_NEAR(group.tensor, 2 * h200().value("hgmma_m64n128k16_f16_cycles"), 1e-9);
  EXPECT_LT(group.work, group.tensor) << "the warps run on";
  EXPECT_EQ(group.product_latency, 0) << "nobody waits for its end";
  products.last_producer_slots[LateResult::kTensor] = 1;
  EXPECT_GT(model.cost(products).product_latency, group.tensor);
  EXPECT_EQ(model.cost(products).quick_latency, 0);
  DeviceProfile other = h200();
  other.facts.erase("hmma_m16n8k16_f16_cycles");
  EXPECT_EQ(CostedLaunch(other, {}, 132).cost(products).tensor, 0) << "a profile without the facts";
}

TEST(TensorCost, ProductsOfWarpGroupsAreWaitedForApart) {
  using enum LateResult;
  const auto waits = [](std::vector<LateResult> results) {
    Segment segment = arithmetic(4, 0);
    segment.waits_for = std::move(results);
    return CostedLaunch(h200(), {}, 132).cost(segment).waits;
  };
  EXPECT_EQ(waits({}), Waits::kNothing);
  EXPECT_EQ(waits({kSpecial, kShared}), Waits::kShortScoreboard);
  EXPECT_EQ(waits({kTensor}), Waits::kProducts);
  EXPECT_EQ(waits({kTensor, kShuffle}), Waits::kShortScoreboardAndProducts);
  EXPECT_EQ(waits({kConstant, kAsyncCopy}), Waits::kLoads);
  EXPECT_EQ(waits({kGlobal, kTensor}), Waits::kAll);
}

TEST(TensorCost, CopiesOfEarlierStagesHaveMostlyArrived) {
  Segment copy = load_of_lines(1);
  copy.classes = {{"async_copy", 1}};
  copy.accesses[0].access_class = "async_copy";
  const CostedLaunch model(h200(), {}, 132);
  const double alone = model.cost(copy).latency;
  copy.copy_stages = 3;
  EXPECT_NEAR(model.cost(copy).latency, alone / 4, 2);
}

}  // namespace
}  // namespace pnsim
