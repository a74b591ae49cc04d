#include "gpu/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/checked_point.h"
#include "gpu/radix_shape.h"
#include "tests/base/error_of.h"

namespace pnsim::gpu {
namespace {

using test::error_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Keys of the manifest that are no axes: an axis must not have one of these names.
const std::set<std::string> kManifestNames = {"index", "program", "pass", "kernel",
                                              "grid",  "threads", "input"};

TEST(Catalogue, HasTheProgramsOfTheDocumentsAndOurOwn) {
  EXPECT_THAT(
      program_names(),
      ElementsAre("radix_global", "radix_shared", "radix_coalesced", "radix_report_global",
                  "radix_report_shared", "radix_report_texture", "radix_cpu", "cub_radix",
                  "matmul_plain", "matmul_tiled", "stability", "sobel_global", "sobel_tiled",
                  "norm_base", "norm_group", "copy", "transpose", "stencil_5point",
                  "block_reduction", "block_scan", "histogram", "bitonic_block", "nbody", "spmv",
                  "gather", "mandelbrot", "softmax_rows", "layer_norm", "stencil_fp64",
                  "nbody_fp64", "option_prices", "constant_table", "convolution_texture",
                  "binary_search", "bfs_level", "gemm_mma", "gemm_wgmma", "sgemm_async",
                  "attention", "grid_standardise", "lookback_scan"));
}

TEST(Catalogue, OwnProgramsSaySo) {
  for (const char* name : {"copy", "spmv", "softmax_rows"}) {
    EXPECT_THAT(find_program(name).source, testing::StartsWith("own: ")) << name;
  }
}

TEST(Catalogue, EveryRowIsWhole) {
  std::set<std::string> names;
  for (const Program& program : catalogue()) {
    SCOPED_TRACE(program.name);
    EXPECT_TRUE(names.insert(program.name).second);
    EXPECT_FALSE(program.summary.empty());
    EXPECT_FALSE(program.source.empty());
    ASSERT_NE(program.reference, nullptr);
    EXPECT_FALSE(program.axes.empty());
    EXPECT_GT(program.passes, 0u);
    for (const char* axis : program.reference->axes) EXPECT_NE(program.find_axis(axis), nullptr);
    EXPECT_EQ(program.find_axis("no such"), nullptr);
  }
}

TEST(Catalogue, EveryAxisIsWhole) {
  for (const Program& program : catalogue()) {
    std::set<std::string> names = kManifestNames;
    for (const ProgramAxis& axis : program.axes) {
      SCOPED_TRACE(program.name + " " + axis.name);
      EXPECT_TRUE(names.insert(axis.name).second);
      EXPECT_FALSE(axis.meaning.empty());
      EXPECT_TRUE(std::is_sorted(axis.values.begin(), axis.values.end()));
      EXPECT_THAT(axis.values, Contains(axis.default_value));
      for (const std::int64_t value : axis.values) EXPECT_TRUE(axis.takes(value));
      EXPECT_FALSE(axis.takes(axis.least - 1));
      EXPECT_FALSE(axis.takes(axis.most + 1));
    }
  }
}

// In the three smallest odd points the sizes are odd; tiles and blocks are even in all programs.
TEST(Catalogue, EveryProgramHasThreeSmallestOddSizesAndLargerOnes) {
  for (const Program& program : catalogue()) {
    SCOPED_TRACE(program.name);
    ASSERT_GE(program.odd_sizes.size(), 5u);
    for (std::size_t i = 0; i < program.odd_sizes.size(); ++i) {
      EXPECT_NO_THROW(default_point(program.name, program.odd_sizes[i]));
      EXPECT_THAT(program.odd_sizes[i], Contains(testing::Key(program.axes[0].name)));
      for (const auto& [axis, value] : program.odd_sizes[i]) {
        EXPECT_TRUE(i >= 3 || value % 2 == 1) << axis << "=" << value;
      }
    }
  }
}

TEST(Catalogue, RadixAxesAreTheRecordedOnes) {
  for (const char* name : {"radix_global", "radix_shared", "radix_coalesced"}) {
    const Program& program = find_program(name);
    ASSERT_EQ(program.axes.size(), 2u);
    EXPECT_EQ(program.axes[0].name, "n");
    EXPECT_EQ(program.axes[0].values.front(), 1 << 12);
    EXPECT_EQ(program.axes[0].values.back(), 1 << 24);
    EXPECT_EQ(program.axes[0].values.size(), 13u);
    EXPECT_EQ(program.axes[0].default_value, 1 << 20);
    EXPECT_EQ(program.axes[0].most, kMaxKeys);
    EXPECT_EQ(program.axes[1].name, "block");
    EXPECT_THAT(program.axes[1].values, ElementsAre(64, 128, 256, 512, 1024));
    EXPECT_EQ(program.passes, 32u);
  }
}

TEST(Catalogue, TheReportsSortsHaveItsSizeAndBlocks) {
  for (const char* name : {"radix_report_global", "radix_report_shared", "radix_report_texture"}) {
    const Program& program = find_program(name);
    EXPECT_EQ(program.axes[0].default_value, 5120);
    EXPECT_THAT(program.axes[1].values, ElementsAre(64, 128, 256, 512, 1024));
    EXPECT_EQ(program.passes, 32u);
  }
}

TEST(Catalogue, TheNormalisationsHaveTheLengthsAndGroupsOfTheHomework) {
  EXPECT_THAT(find_program("norm_base").find_axis("d")->values, ElementsAre(4, 8, 32, 128, 1024));
  EXPECT_THAT(find_program("norm_group").find_axis("group")->values,
              ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_EQ(find_program("norm_base").find_axis("group"), nullptr);
}

// A model file may have at most 300 kB. A launch takes about 400 bytes, and two passes are stored.
TEST(Catalogue, ModelsOfAllPointsStaySmall) {
  for (const Program& program : catalogue()) {
    std::size_t points = 1;
    for (const ProgramAxis& axis : program.axes) points *= axis.values.size();
    EXPECT_LE(points * (program.passes > 1 ? 6 : 1) * 400, 300'000u) << program.name;
  }
}

TEST(Catalogue, WorkIsCountedAtTheDefaultPoint) {
  for (const Program& program : catalogue()) {
    const Work work = program.reference->work(default_point(program.name));
    EXPECT_GT(work.elements, 0) << program.name;
    EXPECT_GE(work.bytes, 4 * work.elements) << program.name;
  }
  const Point product = default_point("matmul_plain", {{"n", 10}});
  EXPECT_EQ(find_program("matmul_plain").reference->work(product).flops, 2000);
}

TEST(Catalogue, FindsEveryProgramByName) {
  for (const Program& program : catalogue()) {
    EXPECT_EQ(&find_program(program.name), &program);
  }
}

TEST(Catalogue, UnknownNameIsAUsageErrorWithTheNearest) {
  EXPECT_THAT(error_of(ExitCode::kUsage, [] { find_program("radix_sharde"); }),
              HasSubstr("radix_shared"));
}

}  // namespace
}  // namespace pnsim::gpu
