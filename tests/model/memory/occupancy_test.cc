// How many sectors of a table random accesses touch.
#include "simulator/model/memory/occupancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace pnsim {
namespace {

TEST(Occupancy, IsThatOfRandomAccesses) {
  constexpr int kSectors = 20'000;
  std::mt19937_64 random(1);
  for (const int accesses : {2000, 20'000, 80'000}) {
    std::set<std::uint64_t> touched;
    for (int i = 0; i < accesses; ++i) touched.insert(random() % kSectors);
    EXPECT_NEAR(touched_per_access(static_cast<double>(accesses) / kSectors),
                static_cast<double>(touched.size()) / accesses, 0.02)
        << accesses;
  }
}

TEST(Occupancy, TheInverseFindsTheAccessesAgain) {
  for (const double accesses : {1e-3, 0.1, 1.0, 7.5, 300.0})
    EXPECT_NEAR(accesses_per_sector(touched_per_access(accesses)), accesses,
                1e-9 * accesses + 1e-12)
        << accesses;
  EXPECT_EQ(accesses_per_sector(1), 0) << "no sector is accessed twice";
}

}  // namespace
}  // namespace pnsim
