// How long L1 looks up the lines that a warp's access asks for.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/model/launch/segment.h"

namespace pnsim {

// Its lanes ask for lines in no order: by what was loaded or, where a model does not say, so that
// some meet.
bool asks_anywhere(const SegmentAccess& access);

// How many balls the fullest of so many bins has on average, each ball falling into any of them
// alike.
class FullestBin {
 public:
  static constexpr std::size_t kMostBalls = 32;
  explicit FullestBin(std::int64_t bins);  // at least 1, at most kMostBalls

  double of(double balls) const;  // 0 ... kMostBalls; between whole numbers on straight lines

 private:
  std::array<double, kMostBalls + 2> mean_{};  // [balls]
};

// L1's tags lie in banks, each of which looks up one line a cycle; lines side by side are in one
// bank after the other. Measured: 31 lines side by side take 8 cycles (microbenchmark l1_stride),
// 32 words anywhere in 64 KiB, which lie in 31 lines on average, as many as the fullest of 4 bins
// has (l1_tables). Of a few KiB, whose lines are spread over the banks, it has a cycle or two more
// than measured.
class TagBanks {
 public:
  explicit TagBanks(std::int64_t banks) : banks_(static_cast<double>(banks)), fullest_(banks) {}

  double cycles(const SegmentAccess& access) const;  // of one access of the row

 private:
  double banks_;
  FullestBin fullest_;
};

}  // namespace pnsim
