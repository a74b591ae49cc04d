// The cycles that L1 needs for the tag look-ups of a warp's access.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/model/memory/access_pattern.h"

namespace pnsim {

// The mean number of balls in the fullest bin, when each ball falls into one of the bins with equal
// probability.
class FullestBin {
 public:
  static constexpr std::size_t kMostBalls = 32;
  explicit FullestBin(std::int64_t bins);  // at least 1, at most kMostBalls

  double of(double balls) const;  // 0 ... kMostBalls; linear between whole numbers

 private:
  std::array<double, kMostBalls + 2> mean_{};  // [balls]
};

// L1's tags lie in banks, each of which looks up one line a cycle; consecutive lines are in one
// bank after the other. Measured: 31 consecutive lines take 8 cycles (microbenchmark l1_stride). 32
// random words in 64 KiB, which lie in 31 lines on average, take as many cycles as the fullest of 4
// banks has lines (l1_tables). For tables of a few KiB this is a cycle or two more than measured:
// their lines are spread over the banks.
class TagBanks {
 public:
  explicit TagBanks(std::int64_t banks) : banks_(static_cast<double>(banks)), fullest_(banks) {}

  // For one access of the row. `conflicts`: random lines collide in banks.
  double cycles(const AccessPattern& access, bool conflicts) const;

 private:
  double banks_;
  FullestBin fullest_;
};

}  // namespace pnsim
