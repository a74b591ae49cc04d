// Texture fetches at the port of L1 and their latency, by what they fetch from.
#include "simulator/model/cost/texture_cost.h"

#include <gtest/gtest.h>

#include "tests/support/costed_launch.h"

namespace pnsim {
namespace {

double fact(const char* name) { return h200().value(name); }

double cycles(TextureKind kind, double sectors, std::int64_t bytes = 4,
              const Heuristics& heuristics = {}) {
  const SegmentAccess access{
      .access_class = "texture", .count = 1, .bytes = bytes, .texture = kind};
  return texture_fetch_cycles(access, sectors, h200_facts(), heuristics);
}

TEST(TextureCost, FetchesFromMemoryTakeThePortByTheirSectors) {
  EXPECT_DOUBLE_EQ(cycles(TextureKind::kMemory, 4), fact("texture_fetch_cycles"));
  EXPECT_DOUBLE_EQ(cycles(TextureKind::kMemory, 32), fact("texture_32_sectors_fetch_cycles"));
  EXPECT_DOUBLE_EQ(cycles(TextureKind::kMemory, 8, 16), fact("texture_memory_16_bytes_cycles"));
}

TEST(TextureCost, FetchesFromArraysTakeWhatWasMeasured) {
  for (const TextureKind kind : {TextureKind::k1d, TextureKind::k2d, TextureKind::kCube}) {
    EXPECT_DOUBLE_EQ(cycles(kind, 1), fact("texture_2d_1_texels_0_lines_cycles"));
    EXPECT_DOUBLE_EQ(cycles(kind, 20), fact("texture_2d_1_texels_0_lines_cycles"));
    EXPECT_DOUBLE_EQ(cycles(kind, 32), fact("texture_2d_4_texels_0_lines_cycles"));
    EXPECT_DOUBLE_EQ(cycles(kind, 96), fact("texture_2d_linear_16_bytes_cycles"));
    EXPECT_DOUBLE_EQ(cycles(kind, 1000), cycles(kind, 96));
  }
  EXPECT_DOUBLE_EQ(cycles(TextureKind::k2d, 26),
                   (cycles(TextureKind::k2d, 20) + cycles(TextureKind::k2d, 32)) / 2);
  EXPECT_DOUBLE_EQ(cycles(TextureKind::k3d, 8), fact("texture_3d_linear_cycles"));
  EXPECT_DOUBLE_EQ(cycles(TextureKind::k3d, 48), fact("texture_3d_linear_cycles"));
  EXPECT_DOUBLE_EQ(cycles(TextureKind::k3d, 256), fact("texture_3d_linear_16_bytes_cycles"));
}

TEST(TextureCost, SwitchedOffAndWithoutItsFactsAnArrayIsAsMemory) {
  const Heuristics off = Heuristics{}.without(Heuristic::kTextureKinds);
  EXPECT_DOUBLE_EQ(cycles(TextureKind::k3d, 4, 4, off), fact("texture_fetch_cycles"));
  EXPECT_LT(cycles(TextureKind::kMemory, 8, 16, off), fact("texture_memory_16_bytes_cycles"));
  DeviceProfile device = h200();
  device.facts.erase("texture_3d_linear_cycles");
  const SegmentAccess access{.access_class = "texture", .count = 1, .texture = TextureKind::k3d};
  EXPECT_DOUBLE_EQ(texture_fetch_cycles(access, 4, read_device_facts(device), {}),
                   fact("texture_fetch_cycles"));
}

TEST(TextureCost, TheSlowestFetchOfASegmentIsWaitedFor) {
  Segment segment;
  const auto latency = [&](TextureKind kind) {
    segment.accesses.push_back({.access_class = "texture", .count = 1, .texture = kind});
    return texture_latency_cycles(segment, h200_facts(), {});
  };
  EXPECT_DOUBLE_EQ(latency(TextureKind::kMemory), fact("texture_latency_cycles"));
  EXPECT_DOUBLE_EQ(latency(TextureKind::k2d), fact("texture_2d_1_texels_0_lines_latency_cycles"));
  EXPECT_DOUBLE_EQ(latency(TextureKind::k3d), fact("texture_3d_linear_latency_cycles"));
  EXPECT_DOUBLE_EQ(latency(TextureKind::kMemory), fact("texture_3d_linear_latency_cycles"));
}

}  // namespace
}  // namespace pnsim
