#include "simulator/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace pnsim {
namespace {

TEST(ParallelFor, DoesEachJobOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> done(count);
      parallel_for(count, threads, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) ASSERT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, ThrowsTheFirstErrorByIndex) {
  for (int round = 0; round < 20; ++round) {
    for (const unsigned threads : {1u, 4u}) {
      try {
        parallel_for(100, threads, [](std::size_t i) {
          if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing thrown";
      } catch (const std::runtime_error& error) {
        ASSERT_STREQ(error.what(), "3");
      }
    }
  }
}

TEST(ParallelFor, GivesUpJobsAfterAnError) {
  std::atomic<int> done{0};
  EXPECT_THROW(parallel_for(1'000'000, 2,
                            [&](std::size_t i) {
                              if (i == 0) throw std::runtime_error("first");
                              ++done;
                            }),
               std::runtime_error);
  EXPECT_LT(done, 999'999);
}

}  // namespace
}  // namespace pnsim
