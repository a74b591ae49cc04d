// Points of kernel models with blocks of a given size: recorded, or what they would be.
#include "simulator/model/launch/launch_shape.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

DeviceProfile h200_facts() { return load_device_profile("h200"); }

KernelModel shipped(const std::string& name) {
  return load_kernel_model(find_data_file(name, {"models"}));
}

// As `pnsim derive` writes it: one launch, named by block and grid.
KernelModel derived() {
  KernelModel model = shipped("radix_report_global");
  Launch launch = model.point({{"block", 256}}).launches.front();
  model.problem = {{"block", launch.block}, {"grid", launch.grid}};
  model.points = {{model.problem, {launch}}};
  return model;
}

TEST(LaunchShape, ARecordedPointWins) {
  const KernelModel model = shipped("radix_report_global");
  const ShapedPoint shaped = shaped_point(model, {{"block", 128}}, h200_facts());
  EXPECT_EQ(&shaped.point(), &model.point({{"block", 128}}));
  EXPECT_EQ(launch_shape_json(shaped).dump(),
            R"({"source":"recorded","resident_blocks":[16,16,16]})");
}

TEST(LaunchShape, WithoutARecordedPointTheNearestBlockIsReshaped) {
  const KernelModel model = shipped("radix_report_global");
  const ShapedPoint shaped = shaped_point(model, {{"block", 32}, {"n", 1280}}, h200_facts());
  ASSERT_TRUE(shaped.what_if.has_value());
  EXPECT_EQ(shaped.recorded, &model.point({{"block", 64}, {"n", 1280}}));
  EXPECT_EQ(shaped.point().problem, (Problem{{"block", 32}, {"n", 1280}}));
  for (const Launch& launch : shaped.point().launches) EXPECT_EQ(launch.grid, 40);
}

TEST(LaunchShape, TheSmallerOfTwoEquallyNearBlocksIsReshaped) {
  KernelModel model = shipped("radix_report_global");
  std::erase_if(model.points, [](const RecordedPoint& p) { return p.problem.at("block") == 128; });
  const ShapedPoint shaped = shaped_point(model, {{"block", 128}}, h200_facts());
  EXPECT_EQ(shaped.recorded->problem.at("block"), 64);
}

TEST(LaunchShape, LaunchesOfOtherSizesStay) {
  const KernelModel model = shipped("radix_shared");
  const ShapedPoint shaped = shaped_point(model, {{"block", 96}, {"n", 4096}}, h200_facts());
  const auto& launches = shaped.point().launches;
  EXPECT_EQ(launches[0].block, 96);
  EXPECT_EQ(launches[1].block, 1024) << "the scan of one block";
  EXPECT_EQ(launches[1].grid, 1);
}

TEST(LaunchShape, ADerivedLaunchHasItsGridFollow) {
  const KernelModel model = derived();
  const ShapedPoint shaped = shaped_point(model, {{"block", 64}}, h200_facts());
  EXPECT_EQ(shaped.point().problem, (Problem{{"block", 64}, {"grid", 80}}));
  EXPECT_FALSE(shaped_point(model, {{"block", 256}}, h200_facts()).what_if.has_value());
}

TEST(LaunchShape, AReshapedGridMayBeRecordedToo) {
  KernelModel model = derived();
  RecordedPoint other = model.points[0];
  other.problem = {{"block", 128}, {"grid", 40}};
  other.launches[0].block = 128;
  other.launches[0].grid = 40;
  model.points.push_back(other);
  const ShapedPoint shaped = shaped_point(model, {{"block", 128}}, h200_facts());
  EXPECT_FALSE(shaped.what_if.has_value());
  EXPECT_EQ(shaped.recorded, &model.points[1]);
}

TEST(LaunchShape, WhereATileMakesTheBlockTheRecordedTileWins) {
  const KernelModel model = shipped("matmul_plain");
  EXPECT_EQ(shaped_point(model, {{"block", 64}}, h200_facts()).recorded,
            &model.point({{"tile", 8}}));
  const ShapedPoint asked = shaped_point(model, {{"block", 64}, {"tile", 16}}, h200_facts());
  EXPECT_TRUE(asked.what_if.has_value()) << "another tile was requested";
  EXPECT_TRUE(shaped_point(model, {{"block", 512}}, h200_facts()).what_if.has_value());
}

TEST(LaunchShape, WithoutABlockThePointIsTheRecordedOne) {
  const KernelModel model = shipped("matmul_plain");
  EXPECT_EQ(shaped_point(model, {{"n", 64}}, h200_facts()).recorded, &model.point({{"n", 64}}));
}

TEST(LaunchShape, BlocksThatShareTheWorkAreRefused) {
  const KernelModel model = shipped("norm_base");
  const std::string error = test::error_of(ExitCode::kUnavailable, [&] {
    shaped_point(model, {{"block", 48}}, h200_facts());
  });
  EXPECT_NE(error.find("different numbers of threads"), std::string::npos);
  EXPECT_NE(error.find("; recorded, and so predicted, are block=["), std::string::npos) << error;
}

TEST(LaunchShape, OtherErrorsAreThoseWithoutABlock) {
  const KernelModel model = shipped("radix_shared");
  const auto expect = [&](ExitCode code, const Problem& problem) {
    test::error_of(code, [&] { shaped_point(model, problem, h200_facts()); });
  };
  expect(ExitCode::kUnavailable, {{"block", 96}, {"n", 17}});
  expect(ExitCode::kUsage, {{"block", 96}, {"m", 17}});
  expect(ExitCode::kBadInput, {{"block", 0}});
  expect(ExitCode::kBadInput, {{"block", 2048}});
}

TEST(LaunchShape, AKernelThatIsCompiledForItsBlockIsRefused) {
  const std::string error = test::error_of(ExitCode::kUnavailable, [] {
    shaped_point(shipped("matmul_tiled"), {{"block", 144}}, h200_facts());
  });
  EXPECT_NE(error.find("execute different kernels"), std::string::npos) << error;
}

TEST(LaunchShape, WhatAWhatIfRestsOnIsToldFromThePoint) {
  const auto basis = [](const std::string& name) {
    const KernelModel model = shipped(name);
    return what_if_basis(model.point({}));
  };
  EXPECT_EQ(basis("copy"), WhatIfBasis::kLine);
  EXPECT_EQ(basis("radix_report_texture"), WhatIfBasis::kInferredLoops);
  EXPECT_EQ(basis("sobel_global"), WhatIfBasis::kTile);
  EXPECT_FALSE(is_sure(basis("mandelbrot")));
}

}  // namespace
}  // namespace pnsim
