// The kernels as the host sees them; needs CUDA in the build, but no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/live.h"
#include "gpu/radix_shape.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned kSharedBytesOfEveryGpu = 48 * 1024;

TEST(Kernels, EveryCatalogueRowHasItsKernelsAndTheOtherWayRound) {
  std::vector<std::string> names = program_names();
  std::sort(names.begin(), names.end());
  std::vector<std::string> registered;
  for (const KernelProgram& program : registered_programs()) registered.push_back(program.name);
  EXPECT_EQ(registered, names);
}

// Walks all points of all programs, and sizes that divide by nothing.
TEST(Kernels, LaunchesFitTheDeviceAndCoverTheKeys) {
  for (const KernelProgram& program : registered_programs()) {
    std::vector<std::uint32_t> sizes = find_program(program.name).n;
    sizes.insert(sizes.end(), {1, 31, 33, 1000007, kMaxKeys});
    for (std::uint32_t n : sizes) {
      for (unsigned block : find_program(program.name).block) {
        SCOPED_TRACE(std::string(program.name) + " n=" + std::to_string(n) +
                     " block=" + std::to_string(block));
        const std::vector<Launch> launches = program.launches(n, block);
        ASSERT_EQ(launches.size(), 3u);  // count, scan, scatter
        EXPECT_GE(std::uint64_t{launches.front().grid} * block * kKeysPerThread, n);
        EXPECT_LT(std::uint64_t{launches.front().grid - 1} * block * kKeysPerThread, n);
        EXPECT_GT(program.scratch_words(n, block), 0u);
        for (const Launch& launch : launches) {
          EXPECT_EQ(std::string(launch.kernel).rfind(program.name, 0), 0u) << launch.kernel;
          EXPECT_GE(launch.grid, 1u);
          EXPECT_LE(launch.block, 1024u);
          EXPECT_LE(launch.shared_bytes, kSharedBytesOfEveryGpu);
        }
      }
    }
  }
}

TEST(Kernels, ThisBuildIsLive) { EXPECT_TRUE(live_built()); }

}  // namespace
}  // namespace pnsim::gpu
