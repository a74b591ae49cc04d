#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gpu/checked_point.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

std::vector<double> doubles_in(const Words& words) {
  std::vector<double> out(words.size() / 2);
  std::memcpy(out.data(), words.data(), 8 * out.size());
  return out;
}
Words words_with(const std::vector<double>& numbers) {
  Words out(2 * numbers.size());
  std::memcpy(out.data(), numbers.data(), 8 * numbers.size());
  return out;
}

TEST(DoubleStencilReference, AnEighthMovesToEachNeighbour) {
  const Point point = default_point("stencil_fp64", {{"width", 3}, {"height", 3}});
  const Expected result =
      double_stencil_reference().result(point, words_with({0, 8, 0, 16, 0, 24, 0, 32, 0}));
  EXPECT_THAT(doubles_in(result.words), ElementsAre(0, 8, 0, 16, 10, 24, 0, 32, 0));
}

TEST(DoubleNbodyReference, TwoBodiesPullEachOther) {
  const Point point = default_point("nbody_fp64", {{"n", 2}});
  const Expected result =
      double_nbody_reference().result(point, words_with({0, 0, 0, 1, 1, 0, 0, 2}));
  const double cube = std::pow(1 + 0.0078125, 1.5);
  EXPECT_THAT(doubles_in(result.words),
              ElementsAre(DoubleEq(2 / cube), 0, 0, 0, DoubleEq(-1 / cube), 0, 0, 0));
}

// A result in single precision must be refused: the programs are there for doubles.
TEST(DoubleReferences, RefuseResultsInSinglePrecision) {
  for (const char* name : {"stencil_fp64", "nbody_fp64"}) {
    const Point point = std::string(name) == "nbody_fp64"
                            ? default_point(name, {{"n", 100}})
                            : default_point(name, {{"width", 40}, {"height", 30}});
    const Reference& reference =
        std::string(name) == "nbody_fp64" ? double_nbody_reference() : double_stencil_reference();
    const Expected expected = reference.result(point, reference.input(point));
    EXPECT_TRUE(expected.is_double);
    std::vector<double> numbers = doubles_in(expected.words);
    for (double& number : numbers) number *= 1 + 0x1p-53;
    EXPECT_FALSE(difference(words_with(numbers), expected).has_value()) << name;
    for (double& number : numbers) number = static_cast<float>(number);
    EXPECT_GT(difference(words_with(numbers), expected)->wrong_elements, numbers.size() / 2)
        << name;
  }
}

TEST(DoubleExpected, NamesTheFirstWrongNumber) {
  const Expected expected{words_with({1, 2}), {0, 0, 0, 0}, true};
  const auto wrong = difference(words_with({1, 2.5}), expected);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->wrong_elements, 1u);
  EXPECT_EQ(wrong->first, "position 1: found 2.5, expected 2");
  EXPECT_EQ(expected.compared(), 2u);
}

}  // namespace
}  // namespace pnsim::gpu
