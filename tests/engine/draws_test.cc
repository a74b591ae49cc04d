#include "simulator/engine/draws.h"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <set>

namespace pnsim {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers of philox4x32 with 10 rounds (kat_vectors of Random123).
TEST(DrawBlock, IsPhilox4x32WithTenRounds) {
  EXPECT_EQ(draw_block({0, 0}, PlaceId{0}, 0, 0),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      draw_block({0xffffffff, 0xffffffff}, PlaceId{0xffffffff}, 0xffffffffffffffff, 0xffffffff),
      (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      draw_block({0xa4093822, 0x299f31d0}, PlaceId{0x243f6a88}, 0x13198a2e85a308d3, 0x03707344),
      (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

Words philox(std::uint64_t key, Words counter) {
  const r123::Philox4x32::key_type k{
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const auto words = r123::Philox4x32{}({{counter[0], counter[1], counter[2], counter[3]}}, k);
  return {words[0], words[1], words[2], words[3]};
}

TEST(RunKey, IsTheFirstTwoWordsForReplicaAndStreamUnderTheSeed) {
  for (const RunId id : {RunId{1, 0, 0}, RunId{0, 0, 0}, RunId{8589934599, 5, 3},
                         RunId{0x8000000000000001, 0x80000001, 0xffffffff}}) {
    const Words words = philox(id.seed, {id.replica, id.stream, 0, 0});
    EXPECT_EQ(run_key(id), (RunKey{words[0], words[1]})) << id.seed;
  }
}

TEST(RunKey, DiffersWithEveryPartOfTheRunId) {
  const std::uint64_t seed = 7;
  const std::set<RunKey> keys = {
      run_key({seed, 0, 0}),
      run_key({seed + 1, 0, 0}),
      run_key({seed + (std::uint64_t{1} << 32), 0, 0}),
      run_key({seed, 1, 0}),
      run_key({seed, 0, 1}),
      run_key({seed, 0x80000000, 0}),
      run_key({seed, 0, 0x80000000}),
  };
  EXPECT_EQ(keys.size(), 7u);
}

TEST(Draws, DrawDIsWordDModFourOfBlockDDivFour) {
  const RunId id{.seed = 42, .replica = 3, .stream = 1};
  const std::uint64_t step = (std::uint64_t{5} << 32) + 9;
  const PlaceId place{17};
  const Words key_words = philox(id.seed, {id.replica, id.stream, 0, 0});
  const std::uint64_t key = std::uint64_t{key_words[1]} << 32 | key_words[0];
  Draws draws(run_key(id), place, step);
  for (std::uint32_t d = 0; d < 11; ++d) {
    const std::uint32_t word = philox(key, {17, 9, 5, d / 4})[d % 4];
    const std::uint32_t size = 1000 + d;
    EXPECT_EQ(draws.next_below(size), (std::uint64_t{word} * size) >> 32) << d;
  }
}

TEST(Draws, StayBelowTheSizeAndReachAllOfIt) {
  for (const std::uint32_t size : {1u, 2u, 7u, 64u}) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t step = 0; step < 2000; ++step) {
      seen.insert(Draws(run_key({}), PlaceId{0}, step).next_below(size));
    }
    EXPECT_EQ(seen.size(), size);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
}

TEST(Draws, AreTheSameForTheSameRunStepAndPlace) {
  Draws a(run_key({.seed = 9}), PlaceId{4}, 6), b(run_key({.seed = 9}), PlaceId{4}, 6);
  for (int d = 0; d < 9; ++d) EXPECT_EQ(a.next_below(1u << 31), b.next_below(1u << 31));
}

TEST(Draws, DifferWithStepAndPlace) {
  const auto first = [](PlaceId place, std::uint64_t step) {
    return Draws(run_key({.seed = 9}), place, step).next_below(0xffffffff);
  };
  const std::set<std::uint32_t> seen = {first(PlaceId{4}, 6), first(PlaceId{5}, 6),
                                        first(PlaceId{4}, 7),
                                        first(PlaceId{4}, 6 + (std::uint64_t{1} << 32))};
  EXPECT_EQ(seen.size(), 4u);
}

// Pearson's chi-square test over 7 positions and 70,000 draws: 22.46 is the 99.9 % quantile for 6
// degrees of freedom.
TEST(Draws, AreUniform) {
  constexpr std::uint32_t kSize = 7, kEach = 10'000;
  std::array<double, kSize> count{};
  Draws draws(run_key({.seed = 1}), PlaceId{0}, 0);
  for (std::uint32_t i = 0; i < kSize * kEach; ++i) ++count[draws.next_below(kSize)];
  double chi_square = 0;
  for (const double c : count) chi_square += (c - kEach) * (c - kEach) / kEach;
  EXPECT_LT(chi_square, 22.46);
}

}  // namespace
}  // namespace pnsim
