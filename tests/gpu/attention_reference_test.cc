#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/attention_shape.h"
#include "gpu/checked_point.h"
#include "gpu/half_bits.h"
#include "gpu/references.h"

namespace pnsim::gpu {
namespace {

using testing::Each;
using testing::FloatNear;

Point attention_point(std::int64_t sequence, std::int64_t causal, std::int64_t heads = 1) {
  return default_point("attention",
                       {{"sequence", sequence}, {"heads", heads}, {"d", 64}, {"causal", causal}});
}

TEST(HalfBits, AreExactAndReadBack) {
  EXPECT_EQ(half_of_64ths(0), 0x0000);
  EXPECT_EQ(half_of_64ths(32), 0x3800);
  EXPECT_EQ(half_of_64ths(-1), 0xa400);
  for (int number = -64; number <= 64; ++number)
    EXPECT_EQ(whole_64ths(half_of_64ths(number)), number);
}

// Queries and keys of zeros: all keys weigh the same, so the result is the mean of the values.
TEST(AttentionReference, EqualScoresGiveTheMean) {
  constexpr std::size_t kRow = 32, kMatrix = kAttentionTile * kRow;
  Words input(3 * kMatrix);
  for (std::size_t i = 0; i < kRow; ++i) {  // values 1/2 and 1/4 in two rows
    input[2 * kMatrix + i] = half_of_64ths(32) | half_of_64ths(32) << 16;
    input[2 * kMatrix + kRow + i] = half_of_64ths(16) | half_of_64ths(16) << 16;
  }
  const Expected all = attention_reference().result(attention_point(2, 0), input);
  EXPECT_THAT(numbers_of(all.words), Each(FloatNear(0.375f, 1e-6f)));
  const Expected causal = attention_reference().result(attention_point(2, 1), input);
  const std::vector<float> numbers = numbers_of(causal.words);
  EXPECT_FLOAT_EQ(numbers[0], 0.5f) << "the first query sees the first key only";
  EXPECT_FLOAT_EQ(numbers[64], 0.375f);
}

// A result that lacks one key of many must be refused, and rounded weights accepted.
TEST(AttentionReference, ToleranceHoldsForHalvesAndNotForAMissingKey) {
  const Point point = attention_point(200, 0), shorter = attention_point(199, 0);
  const Words input = attention_reference().input(point);
  const Expected whole = attention_reference().result(point, input);
  Expected lacking = attention_reference().result(shorter, input);
  Words compared = whole.words;
  std::copy(lacking.words.begin(), lacking.words.end(), compared.begin());
  EXPECT_GT(difference(compared, whole)->wrong_elements, whole.words.size() * 9 / 10);
  std::vector<float> rounded = numbers_of(whole.words);
  for (float& number : rounded) number *= 1 + 0x1p-12f;
  EXPECT_FALSE(difference(words_of(rounded), whole).has_value());
}

TEST(AttentionReference, LongSequencesAreComparedInPart) {
  const Point point = attention_point(2048, 0, 4);
  const Expected result = attention_reference().result(point, attention_reference().input(point));
  EXPECT_EQ(result.words.size(), 4 * 2048 * 64u);
  EXPECT_EQ(result.compared(), 4 * 128 * 64u);
}

}  // namespace
}  // namespace pnsim::gpu
