// What a warp waits for the wavefronts of its own loads. The measured figures are of one warp on an
// H200: `experiment microbench latency_wavefronts`, and loads in a row.
#include <gtest/gtest.h>

#include "tests/support/costed_launch.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

double shared_latency(const DeviceProfile& device, double loads, double wavefronts,
                      std::int64_t slots = 0) {
  Segment segment;
  segment.classes = {{"shared_load", loads}};
  segment.accesses.push_back({.access_class = "shared_load",
                              .count = loads,
                              .bytes = 4,
                              .wavefronts = loads * wavefronts});
  segment.last_producer_slots[LateResult::kShared] = slots;
  return CostedLaunch(device, one_segment_launch(segment, 1), 132)
      .cost(std::size_t{0})
      .quick_latency;
}

// Loads of 4 bytes. `hits` of their sectors are in L1.
double l1_latency(double loads, double lines, double wavefronts, double hits = 1,
                  std::int64_t slots = 0) {
  Segment segment;
  segment.classes = {{"global_load", loads}};
  segment.accesses.push_back({.access_class = "global_load",
                              .count = loads,
                              .bytes = 4,
                              .sectors = loads * std::max(lines, 4.0),
                              .tag_lookups = loads * lines});
  segment.accesses[0].addresses = Addresses::kComputed;
  segment.last_producer_slots[LateResult::kGlobal] = slots;
  Launch launch = one_segment_launch(segment, 1);
  launch.counters = {{"l1_load_sectors", 1000}, {"l1_load_hit_sectors", std::llround(1000 * hits)}};
  launch.counters["l1_wavefronts"] = std::llround(1056 * loads * wavefronts);
  return CostedLaunch(h200(), launch, 132).cost(std::size_t{0}).latency;
}

TEST(Replays, AWarpTakesInAWavefrontOfSharedMemoryEveryOtherCycle) {
  const double one = shared_latency(h200(), 1, 1);
  EXPECT_NEAR(one, h200().value("shared_latency_cycles"), 0.1);
  for (const double wavefronts : {2, 4, 8, 16, 32})
    EXPECT_NEAR(shared_latency(h200(), 1, wavefronts) - one, 2 * (wavefronts - 1), 1.5)
        << wavefronts;
  EXPECT_NEAR(shared_latency(h200(), 4, 32) - one, 289 - 48, 16) << "four in a row";
}

TEST(Replays, AWarpTakesInAWavefrontOfL1EveryOtherCycle) {
  const double one = l1_latency(1, 1, 1);
  EXPECT_NEAR(one, h200().value("l1_latency_cycles"), 0.1);
  const std::pair<double, double> measured[] = {{2, 2}, {4, 6}, {8, 15}, {16, 33}, {32, 69}};
  for (const auto& [wavefronts, longer] : measured)
    EXPECT_NEAR(l1_latency(1, wavefronts, wavefronts) - one, longer, 2) << wavefronts;
  EXPECT_NEAR(l1_latency(4, 32, 32) - one, 311 - 63.5, 16) << "four in a row";
  EXPECT_NEAR(l1_latency(8, 32, 32) - one, 580.6 - 92.4, 32) << "eight in a row";
}

TEST(Replays, PassWhileOtherInstructionsAreIssued) {
  const double at_once = l1_latency(4, 32, 32), longer = at_once - l1_latency(4, 32, 32, 1, 100);
  EXPECT_NEAR(longer, 0, 1e-9);
  EXPECT_GT(l1_latency(4, 32, 32, 1, 400), at_once);
}

TEST(Replays, AreOfAWarpAndNotOfThePort) {
  DeviceProfile turing = load_device_profile("rtx2060super");
  ASSERT_NEAR(turing.value("shared_load_cycles"), 2, 1e-9);
  const double one = shared_latency(turing, 1, 1);
  EXPECT_NEAR(one, turing.value("shared_latency_cycles"), 1.01) << "no wavefront but the first";
  EXPECT_LT(shared_latency(turing, 1, 32) - one, 64) << "one wavefront in two cycles";
}

TEST(Replays, NeverMakeAMissFasterThanAHit) {
  double before = l1_latency(16, 32, 32, 1);
  for (const double hits : {0.9, 0.5, 0.0}) {
    const double latency = l1_latency(16, 32, 32, hits);
    EXPECT_GE(latency, before) << hits;
    before = latency;
  }
}

}  // namespace
}  // namespace pnsim
