// Tests a chain with the maximum of 200,000 markings.
#include <gtest/gtest.h>

#include "simulator/analysis/exact/exact.h"
#include "tests/analysis/exact/chain_rows.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

TEST(ExactLong, ThePapersNetNearTheBoundGivesItsFraction) {
  const MarkingGraph graph = explore(test::wpnm_net({.warps = 3, .l1 = 10, .l2 = 2, .xa = 2}));
  const ExactResult exact = exact_steps(graph);
  EXPECT_EQ(exact.largest_component, 1u);
  EXPECT_GT(exact.markings, 190'000u);
  ASSERT_TRUE(exact.rational);
  const ExactResult decimal = exact_steps(graph, {.limits = {}, .max_rational_component = 0});
  EXPECT_FALSE(decimal.rational);
  EXPECT_NEAR(decimal.expected_steps->decimal, exact.expected_steps->decimal,
              decimal.expected_steps->error_bound);
  EXPECT_LT(decimal.expected_steps->error_bound, 1e-9);
}

TEST(ExactLong, ACountdownOf199999Steps) {
  const Net net = test::build({{{"p", 199'999}}, {{"a", {{"p", 1}}}}});
  const ExactResult result = exact_steps(net);
  EXPECT_EQ(result.markings, 200'000u);
  EXPECT_EQ(result.expected_steps->fraction, "199999");
}

TEST(ExactLong, FractionsThatGrowWithEveryStepBecomeADecimal) {
  const ExactResult result = exact_steps(test::one_or_two_up(199'999).graph());
  EXPECT_FALSE(result.rational);
  // 4/3 tokens per step on average.
  EXPECT_NEAR(result.expected_steps->decimal, 199'999 * 0.75, 1);
  EXPECT_LT(result.expected_steps->error_bound, 1e-2);
}

TEST(ExactLong, OneDenseComponentOfTwoHundredMarkingsStaysExact) {
  const ExactResult result = exact_steps(test::random_component(200, 30, 1).graph());
  EXPECT_TRUE(result.rational);
  EXPECT_EQ(result.goal.fraction, "2/3");
  EXPECT_GT(result.expected_steps->fraction->size(), 300u);
}

TEST(ExactLong, OneComponentOf100000MarkingsIsIterated) {
  const ExactResult result = exact_steps(test::random_component(100'000, 3, 1).graph());
  EXPECT_FALSE(result.rational);
  EXPECT_NEAR(result.goal.decimal, 2.0 / 3, result.goal.error_bound);
  EXPECT_LT(result.expected_steps->error_bound, 1e-3 * result.expected_steps->decimal);
}

}  // namespace
}  // namespace pnsim
