#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gpu/checked_point.h"
#include "gpu/gemm_shape.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;

Point gemm_point(std::int64_t m, std::int64_t n, std::int64_t k, GemmType type) {
  return default_point("gemm_mma",
                       {{"m", m}, {"n", n}, {"k", k}, {"type", static_cast<std::int64_t>(type)}});
}

// A line of 128 bytes that begins with these elements.
template <class T>
void append_row(Words& words, std::initializer_list<T> row) {
  Words line(32);
  std::memcpy(line.data(), std::data(row), row.size() * sizeof(T));
  words.insert(words.end(), line.begin(), line.end());
}

// 1/2, 1/4, -1/64 as halves.
constexpr std::uint16_t kHalf = 0x3800, kQuarter = 0x3400, kMinusUnit = 0xa400;

TEST(GemmReference, MultipliesRowsByRows) {
  Words input;
  append_row<std::uint16_t>(input, {kHalf, kQuarter});
  append_row<std::uint16_t>(input, {0, kMinusUnit});
  append_row<std::uint16_t>(input, {kHalf, kHalf});
  const Expected result = gemm_reference().result(gemm_point(2, 1, 2, GemmType::kHalf), input);
  EXPECT_THAT(numbers_of(result.words), ElementsAre(0.375f, -1 / 128.0f));
  EXPECT_THAT(result.tolerance, Each(0));
}

// The same fractions in every type: the results agree, and are not trivial.
TEST(GemmReference, EveryTypeHasTheSameProduct) {
  std::vector<float> first;
  for (const GemmType type : {GemmType::kHalf, GemmType::kTf32, GemmType::kInt8}) {
    const Point point = gemm_point(5, 3, 100, type);
    const Expected result = gemm_reference().result(point, gemm_reference().input(point));
    const std::vector<float> numbers = numbers_of(result.words);
    if (first.empty()) first = numbers;
    EXPECT_EQ(numbers, first);
    EXPECT_THAT(result.tolerance, Each(0));
  }
  EXPECT_NE(first[0], first[1]);
  const Point doubles = gemm_point(5, 3, 100, GemmType::kDouble);
  const Expected wide = gemm_reference().result(doubles, gemm_reference().input(doubles));
  ASSERT_EQ(wide.words.size(), 2 * first.size());
  EXPECT_TRUE(wide.is_double);
  for (std::size_t i = 0; i < first.size(); ++i) {
    double number = 0;
    std::memcpy(&number, &wide.words[2 * i], sizeof(number));
    EXPECT_EQ(number, first[i]);
  }
}

// A product that lacks one of its elements must be refused.
TEST(GemmReference, AMissingProductIsADifference) {
  const Point point = gemm_point(3, 3, 1000, GemmType::kHalf),
              shorter = gemm_point(3, 3, 999, GemmType::kHalf);
  const Expected whole = gemm_reference().result(point, gemm_reference().input(point));
  const Expected lacking = gemm_reference().result(shorter, gemm_reference().input(point));
  EXPECT_GE(difference(lacking.words, whole)->wrong_elements, 7u) << "some elements are zero";
}

// Beyond 2^24 units sums are rounded, and the tolerance is their bound.
TEST(GemmReference, DeepSumsHaveABound) {
  constexpr std::int64_t kDeep = 20000;
  const Point point = gemm_point(1, 1, kDeep, GemmType::kInt8);
  Words input(2 * gemm_row_bytes(GemmType::kInt8, kDeep) / 4, 0xe0e0e0e0u);  // all -32
  const Expected result = gemm_reference().result(point, input);
  EXPECT_EQ(numbers_of(result.words)[0], kDeep / 4.0f);
  EXPECT_GT(result.tolerance[0], 0);
  EXPECT_LT(result.tolerance[0], 20) << "under half a percent";
}

// Of a large product a part of the rows is compared, and that part is said.
TEST(GemmReference, LargeProductsAreComparedInPart) {
  const Point point = gemm_point(512, 1024, 2048, GemmType::kInt8);
  const Expected result = gemm_reference().result(point, gemm_reference().input(point));
  EXPECT_EQ(result.compared(), 128 * 1024u);
  Words found = result.words;
  found[0] ^= 0x00800000u;
  EXPECT_EQ(difference(found, result)->wrong_elements, 1u);
  found = result.words;
  found[1024] = 0x7fc00000u;  // a NaN in a row that is not compared
  EXPECT_EQ(difference(found, result)->wrong_elements, 1u);
}

}  // namespace
}  // namespace pnsim::gpu
