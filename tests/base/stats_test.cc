// Comparison with values computed by hand or taken from tables.
#include "simulator/base/stats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pnsim {
namespace {

using Samples = std::vector<double>;

TEST(Stats, MeanAndStandardDeviation) {
  const Samples x = {2, 4, 4, 4, 5, 5, 7, 9};  // mean 5, sum of squared deviations 32
  EXPECT_DOUBLE_EQ(mean(x), 5);
  EXPECT_DOUBLE_EQ(stddev(x), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(mean(Samples{3}), 3);
  EXPECT_DOUBLE_EQ(stddev(Samples{3, 3}), 0);
}

TEST(Stats, QuantilesAreLinearBetweenOrderStatistics) {
  const Samples x = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(quantile(x, 0), 10);
  EXPECT_DOUBLE_EQ(quantile(x, 1), 40);
  EXPECT_DOUBLE_EQ(quantile(x, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile(x, 0.9), 37);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.3), 7);
}

TEST(Stats, Median) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(Stats, GeometricMean) {
  EXPECT_DOUBLE_EQ(geometric_mean(Samples{1, 4, 16}), 4);
  EXPECT_NEAR(geometric_mean(Samples{1e200, 1e-200, 8}), 2, 1e-12);  // no overflow
}

TEST(Stats, RelativeMad) {
  EXPECT_DOUBLE_EQ(relative_mad({10, 12, 8, 10, 30}), 0.2);  // deviations 0 2 2 0 20
  EXPECT_DOUBLE_EQ(relative_mad({5}), 0);
}

TEST(Stats, IntervalOfTheMeanIsStudents) {
  // Student's t of 4 degrees of freedom at 97.5 % is 2.776445; s = sqrt(2.5); half width = t s /
  // sqrt(5).
  const Interval i = mean_ci95(Samples{1, 2, 3, 4, 5});
  EXPECT_NEAR(i.high - 3, 2.776445 * std::sqrt(2.5 / 5), 1e-6);
  EXPECT_NEAR(3 - i.low, i.high - 3, 1e-12);
  // One degree of freedom: 12.706205.
  EXPECT_NEAR(mean_ci95(Samples{0, 2}).high, 1 + 12.706205, 1e-5);
}

TEST(Stats, Pearson) {
  EXPECT_NEAR(pearson(Samples{1, 2, 3}, Samples{2, 4, 6}), 1, 1e-15);
  EXPECT_NEAR(pearson(Samples{1, 2, 3}, Samples{6, 4, 2}), -1, 1e-15);
  // Deviations -1 0 1 and -2/3 1/3 1/3: 1 / sqrt(2 * 2/3).
  EXPECT_NEAR(pearson(Samples{1, 2, 3}, Samples{1, 2, 2}), std::sqrt(3.0) / 2, 1e-15);
  EXPECT_TRUE(std::isnan(pearson(Samples{1, 1, 1}, Samples{1, 2, 3})));
  EXPECT_TRUE(std::isnan(pearson(Samples{1, 2, 3}, Samples{1, 1, 1})));
}

TEST(Stats, RanksShareTheirMean) {
  EXPECT_EQ(ranks(Samples{30, 10, 20}), (Samples{3, 1, 2}));
  EXPECT_EQ(ranks(Samples{5, 5, 1, 5}), (Samples{3, 3, 1, 3}));
  EXPECT_EQ(ranks(Samples{}), Samples{});
}

TEST(Stats, SpearmanSeesOrderOnly) {
  EXPECT_NEAR(spearman(Samples{1, 2, 3, 4}, Samples{1, 10, 100, 1e6}), 1, 1e-15);
  // d = 0 1 1 0: 1 - 6 * 2 / (4 * 15).
  EXPECT_NEAR(spearman(Samples{1, 2, 3, 4}, Samples{1, 3, 2, 4}), 0.8, 1e-15);
  EXPECT_TRUE(std::isnan(spearman(Samples{1, 2}, Samples{7, 7})));
}

}  // namespace
}  // namespace pnsim
