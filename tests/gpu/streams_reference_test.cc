#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gpu/checked_point.h"
#include "gpu/references.h"
#include "gpu/stencil_shape.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Lt;

TEST(CopyReference, IsTheInput) {
  const Point point = default_point("copy", {{"n", 3}});
  EXPECT_THAT(copy_reference().result(point, {7, 8, 9}).words, ElementsAre(7u, 8u, 9u));
  EXPECT_EQ(copy_reference().work(point).bytes, 24);
}

TEST(TransposeReference, TurnsRowsIntoColumns) {
  const Point point = default_point("transpose", {{"n", 3}});
  EXPECT_THAT(transpose_reference().result(point, {1, 2, 3, 4, 5, 6, 7, 8, 9}).words,
              ElementsAre(1u, 4u, 7u, 2u, 5u, 8u, 3u, 6u, 9u));
}

TEST(TransposeReference, TwiceIsTheInput) {
  const Point point = default_point("transpose", {{"n", 33}});
  const Words input = transpose_reference().input(point);
  const Words once = transpose_reference().result(point, input).words;
  EXPECT_NE(once, input);
  EXPECT_EQ(transpose_reference().result(point, once).words, input);
}

TEST(GatherReference, FetchesFromTheTableBehindThePlaces) {
  const Point point = default_point("gather", {{"n", 3}, {"table", 2}});
  EXPECT_THAT(gather_reference().result(point, {1, 0, 1, /*table*/ 50, 60}).words,
              ElementsAre(60u, 50u, 60u));
}

TEST(GatherReference, PlacesAreInTheTableAndAllOverIt) {
  const Point point = default_point("gather", {{"n", 1000}, {"table", 10}});
  Words places = gather_reference().input(point);
  EXPECT_EQ(places.size(), 1010u);
  places.resize(1000);
  EXPECT_THAT(places, Each(Lt(10u)));
  EXPECT_EQ(std::set<std::uint32_t>(places.begin(), places.end()).size(), 10u);
  // The table is smaller than the number of loads.
  EXPECT_EQ(gather_reference().work(point).bytes, 8000 + 40);
}

Expected step(std::int64_t width, std::int64_t height, const std::vector<float>& cells) {
  const Point point = default_point("stencil_5point", {{"width", width}, {"height", height}});
  return stencil_reference().result(point, words_of(cells));
}

TEST(StencilReference, MovesToTheNeighboursAndKeepsTheRim) {
  const Expected result = step(4, 3, {1, 2, 3, 4, 5, 8, 16, 6, 7, 0, 9, 8});
  EXPECT_THAT(numbers_of(result.words),
              ElementsAre(1, 2, 3, 4, 5, 8 + (2 + 5 + 16 + 0 - 32) / 8.0f,
                          16 + (3 + 8 + 6 + 9 - 64) / 8.0f, 6, 7, 0, 9, 8));
  EXPECT_EQ(result.tolerance[0], 0);
  EXPECT_GT(result.tolerance[5], 0);
}

TEST(StencilReference, EvenCellsStay) {
  EXPECT_THAT(numbers_of(step(5, 5, std::vector<float>(25, 3)).words), Each(3.0f));
  EXPECT_THAT(numbers_of(step(1, 2, {4, 5}).words), ElementsAre(4, 5));
}

// Single precision in another order must be accepted, and a sum that lacks a neighbour refused.
TEST(StencilReference, ToleranceHoldsForAnyOrderAndNotForMore) {
  constexpr std::size_t kWidth = 50;
  const Point point = default_point("stencil_5point", {{"width", kWidth}, {"height", 50}});
  const Words input = stencil_reference().input(point);
  const std::vector<float> in = numbers_of(input);
  std::vector<float> right = in, wrong = in;
  for (std::size_t i = kWidth; i + kWidth < in.size(); ++i) {
    if (i % kWidth == 0 || i % kWidth == kWidth - 1) continue;
    const float three =
        kDiffusion * in[i - 1] + kDiffusion * in[i + 1] + kDiffusion * in[i + kWidth];
    wrong[i] = in[i] * (1 - 4 * kDiffusion) + three;
    right[i] = wrong[i] + kDiffusion * in[i - kWidth];
  }
  const Expected expected = stencil_reference().result(point, input);
  EXPECT_FALSE(difference(words_of(right), expected).has_value());
  EXPECT_GT(difference(words_of(wrong), expected)->wrong_elements, 48u * 48u * 99 / 100);
}

}  // namespace
}  // namespace pnsim::gpu
