// The host's descriptions of the kernels. It needs a build with CUDA, but no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "gpu/block_shape.h"
#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/kernels/kernel_program.h"
#include "gpu/live.h"
#include "gpu/profile_plan.h"
#include "gpu/radix_shape.h"

namespace pnsim::gpu {
namespace {

// Dynamic shared memory of a block, with permission where a newer GPU is needed anyway.
unsigned most_shared_bytes(const Program& program) {
  if (program.capability >= 90) return 227 * 1024;
  return (program.capability >= 80 ? 99 : 48) * 1024;
}

TEST(Kernels, EveryCatalogueRowHasItsKernelsAndTheOtherWayRound) {
  std::vector<std::string> names;
  for (const Program& program : catalogue()) {
    if (program.runner != Runner::kHost) names.push_back(program.name);
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string> registered;
  for (const KernelProgram& program : registered_programs()) registered.push_back(program.name);
  EXPECT_EQ(registered, names);
}

bool has_own_kernels(const Program& program) { return program.runner == Runner::kKernels; }

std::vector<Launch> shapes(const Point& point) {
  for (const KernelProgram& program : registered_programs()) {
    if (program.name == point.program) return program.launches(point.axes, {});
  }
  return {};
}

void expect_fits_every_gpu(const Point& point) {
  SCOPED_TRACE(describe(point));
  const std::vector<Launch> launches = shapes(point);
  EXPECT_FALSE(launches.empty());
  for (const Launch& launch : launches) {
    EXPECT_EQ(std::string(launch.kernel).rfind(point.program, 0), 0u) << launch.kernel;
    EXPECT_NE(launch.function, nullptr);
    EXPECT_GE(launch.grid.count(), 1u);
    EXPECT_LE(launch.grid.y, 65535u);
    EXPECT_GE(launch.block.count(), 1u);
    EXPECT_LE(launch.block.count(), 1024u);
    EXPECT_LE(launch.shared_bytes, most_shared_bytes(find_program(point.program)));
  }
}

TEST(Kernels, EveryPointOfEveryProgramFitsEveryGpu) {
  for (const Program& program : catalogue()) {
    if (!has_own_kernels(program)) continue;
    for (const ProfileItem& item : profile_plan(program, {})) expect_fits_every_gpu(item.point);
    for (const auto& sizes : program.odd_sizes) {
      expect_fits_every_gpu(default_point(program.name, sizes));
    }
  }
}

TEST(Kernels, TheLargestSizesFitToo) {
  for (const Program& program : catalogue()) {
    if (!has_own_kernels(program)) continue;
    std::map<std::string, std::int64_t> largest;
    for (const ProgramAxis& axis : program.axes) largest[axis.name] = axis.most;
    expect_fits_every_gpu(default_point(program.name, largest));
  }
}

// A block of the radix sorts takes 8 keys per thread. The scan between the two has its own block
// size.
TEST(Kernels, PartsOfTheRadixSortsCoverTheKeys) {
  for (const char* name : {"radix_global", "radix_shared", "radix_coalesced"}) {
    for (const std::int64_t n : {1, 31, 33, 1000007, 1 << 28}) {
      for (const std::int64_t block : find_program(name).find_axis("block")->values) {
        const std::vector<Launch> launches = shapes(make_point(name, {{"n", n}, {"block", block}}));
        ASSERT_EQ(launches.size(), 3u);  // count, scan, scatter
        EXPECT_GE(launches[0].grid.x * block * kKeysPerThread, n);
        EXPECT_LT((launches[0].grid.x - 1) * block * kKeysPerThread, n);
      }
    }
  }
}

// In programs with one thread per element, the launches cover all elements.
TEST(Kernels, GridsCoverTheElements) {
  for (const char* name :
       {"radix_report_global", "radix_report_shared", "radix_report_texture", "matmul_plain",
        "matmul_tiled", "stability", "sobel_global", "stencil_5point", "block_scan", "nbody",
        "spmv", "gather", "mandelbrot"}) {
    for (const auto& sizes : find_program(name).odd_sizes) {
      const Point point = default_point(name, sizes);
      const double elements = find_program(name).reference->work(point).elements;
      for (const Launch& launch : shapes(point)) {
        EXPECT_GE(launch.grid.count() * launch.block.count(), elements) << describe(point);
      }
    }
  }
}

// In programs whose threads take several words each, the parts of the blocks cover all words.
TEST(Kernels, PartsOfBlocksCoverTheWords) {
  const std::map<std::string, std::int64_t> words_a_thread = {
      {"block_reduction", kSummandsPerThread},
      {"histogram", kCountedPerThread},
      {"bitonic_block", kSortedPerThread},
      {"copy", 4}};
  for (const auto& [name, words] : words_a_thread) {
    for (const std::int64_t n : {1, 511, 4097, 1 << 28}) {
      const Launch last = shapes(default_point(name, {{"n", n}})).back();
      const std::int64_t part = words * last.block.x;
      EXPECT_GE(last.grid.x * part, n) << name;
      EXPECT_LT((last.grid.x - 1) * part, n) << name;
    }
  }
}

TEST(Kernels, AxesChooseTheKernel) {
  const auto kernel = [](const char* program, const char* axis, std::int64_t value) {
    return std::string(shapes(default_point(program, {{axis, value}})).back().kernel);
  };
  EXPECT_EQ(kernel("copy", "words", 1), "copy_by_1");
  EXPECT_EQ(kernel("transpose", "padding", 0), "transpose_plain");
  EXPECT_EQ(kernel("block_reduction", "shuffle", 0), "block_reduction_tree");
  EXPECT_EQ(kernel("block_scan", "shuffle", 1), "block_scan_shuffle");
  EXPECT_EQ(kernel("histogram", "shared", 0), "histogram_global");
  EXPECT_EQ(kernel("spmv", "by_warps", 0), "spmv_thread");
}

TEST(Kernels, TypesTilesAndStagesHaveKernelsOfTheirOwn) {
  const auto launch = [](const char* program, const std::map<std::string, std::int64_t>& axes) {
    return shapes(default_point(program, axes)).back();
  };
  const Launch doubles =
      launch("gemm_mma", {{"m", 200}, {"n", 131}, {"type", 3}, {"tile", 64}, {"stages", 2}});
  EXPECT_STREQ(doubles.kernel, "gemm_mma_double_64_2");
  EXPECT_EQ(doubles.grid.x, 3u);  // columns
  EXPECT_EQ(doubles.grid.y, 4u);
  EXPECT_EQ(doubles.shared_bytes, 2 * 2 * 64 * 64u);
  const Launch groups = launch("gemm_wgmma", {{"m", 129}, {"n", 257}, {"columns", 256}});
  EXPECT_STREQ(groups.kernel, "gemm_wgmma_256");
  EXPECT_EQ(groups.grid.x, 2u);
  EXPECT_EQ(groups.grid.y, 2u);
  EXPECT_EQ(groups.block.count(), 384u);  // a producer and two consumers
  EXPECT_STREQ(launch("attention", {{"d", 128}}).kernel, "attention_128");
  EXPECT_STREQ(launch("layer_norm", {{"columns", 1002}}).kernel, "layer_norm_by_1");
}

TEST(Kernels, OnlyThoseThatWaitForAllBlocksAreCooperative) {
  for (const Program& program : catalogue()) {
    if (!has_own_kernels(program)) continue;
    for (const Launch& launch : shapes(default_point(program.name)))
      EXPECT_EQ(launch.is_cooperative, program.name == "grid_standardise") << program.name;
  }
}

TEST(Kernels, ASearchHasALaunchPerLevel) {
  EXPECT_EQ(shapes(default_point("bfs_level", {{"levels", 5}})).size(), 6u);
}

TEST(Kernels, FixedLengthsHaveKernelsOfTheirOwn) {
  const auto kernel = [](std::int64_t d, std::int64_t fixed) {
    const Point point = default_point("norm_group", {{"d", d}, {"fixed_d", fixed}});
    return std::string(shapes(point).at(0).kernel);
  };
  EXPECT_EQ(kernel(4, 1), "norm_group_d4_g8");
  EXPECT_EQ(kernel(32, 1), "norm_group_d32_g8");
  EXPECT_EQ(kernel(32, 0), "norm_group_d0_g8");
  EXPECT_EQ(kernel(128, 1), "norm_group_d0_g8");
}

TEST(Kernels, ThisBuildIsLive) { EXPECT_TRUE(live_built()); }

}  // namespace
}  // namespace pnsim::gpu
