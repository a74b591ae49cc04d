// Tests the roofline against times computed by hand.
#include "simulator/analysis/baselines/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/base/error_of.h"
#include "tests/support/toy_launch.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

double ceiling(const Launch& launch, const std::string& unit) {
  for (const Ceiling& c : roofline_ceilings(launch, toy_device())) {
    if (c.unit == unit) return c.us;
  }
  ADD_FAILURE() << unit;
  return 0;
}

// 10 SMs at 1000 cycles per microsecond. A grid of 20 blocks uses all of them.
TEST(Roofline, TakesEachUnitsWorkOverItsRate) {
  Launch launch = toy_launch();
  launch.counters = {
      {"issued_instructions", 40'000}, {"alu_instructions", 20'000}, {"fma_instructions", 8'000},
      {"xu_instructions", 1'000},      {"l1_wavefronts", 50'000},    {"l2_read_sectors", 62'500},
      {"l2_write_sectors", 10'000},    {"l2_atomic_sectors", 2'000}, {"l2_reduction_sectors", 500},
      {"dram_read_bytes", 1'000'000},  {"dram_write_bytes", 250'000}};
  EXPECT_DOUBLE_EQ(ceiling(launch, "issue"), 1);             // 4 per cycle and SM
  EXPECT_DOUBLE_EQ(ceiling(launch, "alu"), 1);               // 2
  EXPECT_DOUBLE_EQ(ceiling(launch, "fma"), 0.2);             // 4
  EXPECT_DOUBLE_EQ(ceiling(launch, "special"), 0.2);         // 1/2
  EXPECT_DOUBLE_EQ(ceiling(launch, "l1"), 5);                // one cycle each
  EXPECT_DOUBLE_EQ(ceiling(launch, "l2 read"), 1);           // 2 MB at 2 TB/s
  EXPECT_DOUBLE_EQ(ceiling(launch, "l2 write"), 0.4);        // 400 kB at 1 TB/s
  EXPECT_DOUBLE_EQ(ceiling(launch, "dram"), 2.5);            // reads and writes at 0.5 TB/s
  EXPECT_DOUBLE_EQ(roofline_us(launch, toy_device()), 5.5);  // L1, plus 0.5 us launch overhead
}

TEST(Roofline, HasTheUnitsOfAsManySmsAsHaveBlocks) {
  Launch launch = toy_launch();
  launch.counters = {{"issued_instructions", 40'000}, {"dram_read_bytes", 1'000'000}};
  const double all = ceiling(launch, "issue"), dram = ceiling(launch, "dram");
  launch.grid = 5;
  EXPECT_DOUBLE_EQ(ceiling(launch, "issue"), 2 * all);
  EXPECT_DOUBLE_EQ(ceiling(launch, "dram"), dram);  // DRAM serves the whole GPU
}

// A bound must be monotonic: more work never takes less time.
TEST(Roofline, GrowsWithEveryCounter) {
  Launch launch = toy_launch();
  launch.counters = {{"issued_instructions", 1}};
  double before = roofline_us(launch, toy_device());
  EXPECT_GT(before, 0.5);
  for (const char* name : {"issued_instructions", "alu_instructions", "fma_instructions",
                           "xu_instructions", "l1_wavefronts", "l2_read_sectors",
                           "l2_write_sectors", "dram_read_bytes", "dram_write_bytes"}) {
    launch.counters[name] += 1'000'000'000'000;
    const double after = roofline_us(launch, toy_device());
    EXPECT_GE(after, before) << name;
    before = after;
  }
}

TEST(Roofline, RefusesWhatItCannotKnow) {
  Launch launch = toy_launch();
  launch.counters.clear();
  EXPECT_THAT(test::input_error_of([&] { roofline_us(launch, toy_device()); }),
              AllOf(HasSubstr("kernel toy"), HasSubstr("pnsim derive")));
  DeviceProfile device = toy_device();
  device.facts.erase("issue_rate");
  launch.counters = {{"issued_instructions", 1}};
  EXPECT_THAT(test::input_error_of([&] { roofline_us(launch, device); }), HasSubstr("issue_rate"));
}

}  // namespace
}  // namespace pnsim
