#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/checked_point.h"
#include "gpu/references.h"
#include "gpu/table_shape.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;

TEST(OptionReference, PricesMeetTheParityOfCallsAndPuts) {
  const Point point = default_point("option_prices", {{"n", 200}});
  const Words input = option_reference().input(point);
  const std::vector<float> in = numbers_of(input),
                           out = numbers_of(option_reference().result(point, input).words);
  for (std::size_t i = 0; i < 200; ++i) {
    const double price = 17.5 + 12.5 * in[i], strike = 50.5 + 49.5 * in[200 + i];
    const double years = 5.125 + 4.875 * in[400 + i];
    EXPECT_NEAR(out[i] - out[200 + i], price - strike * std::exp(-0.02 * years), 2e-5);
    EXPECT_GT(out[i], -1e-5);
    EXPECT_LT(out[i], price);
  }
}

// An option on a price of 17.5 at a strike of 50.5 in 5.125 years, by a table of the distribution.
TEST(OptionReference, APriceIsTheKnownOne) {
  const Point point = default_point("option_prices", {{"n", 1}});
  const Expected result = option_reference().result(point, words_of({0, 0, 0}));
  const double spread = 0.3 * std::sqrt(5.125);
  const double high = (std::log(17.5 / 50.5) + (0.02 + 0.045) * 5.125) / spread;
  const auto share = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double call = 17.5 * share(high) - 50.5 * std::exp(-0.02 * 5.125) * share(high - spread);
  EXPECT_NEAR(numbers_of(result.words)[0], call, 1e-4);
  EXPECT_LT(result.tolerance[0], 1e-3f * 17.5f);
}

TEST(ConstantTableReference, LooksUpEightTimes) {
  const Point point = default_point("constant_table", {{"n", 1}, {"table", 1}});
  std::uint32_t x = 77;
  for (int i = 0; i < 8; ++i) x = (x << 5 | x >> 27) ^ constant_word(0);
  EXPECT_THAT(constant_table_reference().result(point, {77}).words, ElementsAre(x));
}

TEST(ConvolutionReference, KeepsAFlatPictureAndSpreadsAPoint) {
  const Point point = default_point("convolution_texture", {{"width", 9}, {"height", 9}});
  const Expected flat =
      convolution_reference().result(point, words_of(std::vector<float>(81, 0.5f)));
  EXPECT_THAT(numbers_of(flat.words), Each(FloatNear(0.5f, 1e-7f)));
  std::vector<float> dot(81);
  dot[40] = 1;
  const std::vector<float> spread =
      numbers_of(convolution_reference().result(point, words_of(dot)).words);
  EXPECT_FLOAT_EQ(spread[40], 70 * 70 / 65536.0f);
  EXPECT_FLOAT_EQ(spread[0], 1 / 65536.0f);
  EXPECT_FLOAT_EQ(spread[36], 70 / 65536.0f);
  EXPECT_LT(flat.tolerance[0], 1 / 65536.0f) << "a missing corner is seen";
}

TEST(SearchReference, CountsTheLesserWords) {
  const Point point = default_point("binary_search", {{"n", 4}, {"table", 3}});
  EXPECT_THAT(search_reference().result(point, {10, 20, 20, 5, 10, 20, 21}).words,
              ElementsAre(0, 0, 1, 3));
  const Words input = search_reference().input(point);
  EXPECT_TRUE(std::is_sorted(input.begin(), input.begin() + 3));
}

TEST(PrefixSumsReference, WrapAround) {
  const Point point = default_point("lookback_scan", {{"n", 3}});
  EXPECT_THAT(prefix_sums_reference().result(point, {0xffffffffu, 2, 3}).words,
              ElementsAre(0xffffffffu, 1, 4));
}

// 0 -> 1 -> 2, and 3 that nobody points to.
TEST(BfsReference, GoesAsFarAsTheLaunches) {
  const Words graph{0, 1, 2, 3, 4, 1, 2, 0, 0};
  const auto levels_after = [&](std::int64_t levels) {
    return bfs_reference()
        .result(default_point("bfs_level", {{"vertices", 4}, {"degree", 1}, {"levels", levels}}),
                graph)
        .words;
  };
  constexpr std::uint32_t kNever = 0xffffffffu;
  EXPECT_THAT(levels_after(1), ElementsAre(0, 1, kNever, kNever));
  EXPECT_THAT(levels_after(5), ElementsAre(0, 1, 2, kNever));
}

TEST(BfsReference, GraphsHaveUnevenDegreesAndValidEnds) {
  const Point point = default_point("bfs_level", {{"vertices", 1000}, {"degree", 8}});
  const Words graph = bfs_reference().input(point);
  ASSERT_EQ(graph.size(), 1001 + graph[1000]);
  EXPECT_NEAR(graph[1000], 8000, 500);
  for (std::size_t i = 1001; i < graph.size(); ++i) EXPECT_LT(graph[i], 1000u);
  const Words level = bfs_reference().result(point, graph).words;
  EXPECT_GT(std::count_if(level.begin(), level.end(), [](std::uint32_t l) { return l < 9; }), 900);
}

}  // namespace
}  // namespace pnsim::gpu
