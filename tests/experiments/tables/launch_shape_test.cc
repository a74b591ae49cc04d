// Tests the predicted best block size, from launches of another size, against recorded times.
#include <gtest/gtest.h>

#include "experiments/spec/suite.h"
#include "experiments/tables/launch_shape_table.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

Rendered shapes_of_toy(const std::string& net) {
  return launch_shape_table(RecordedResults("toy"), load_device_profile("toy"), load_net(net), {});
}

InputJson rows_of(const Rendered& rendered) { return parse_json(rendered.json, "table"); }

// Four sizes of toy_a with two block sizes each. The smaller block is measured slightly faster.
TEST(LaunchShapeTable, EveryBlockOfEveryProblemIsStartedFrom) {
  const ValidationRoot root;
  const Rendered rendered = shapes_of_toy("sm");
  const InputJson rows = rows_of(rendered);
  ASSERT_EQ(rows.size(), 3u) << "all, and all that are sure";
  EXPECT_EQ(rows[0]["program"], "toy_a");
  EXPECT_EQ(rows[0]["problems"], 4);
  EXPECT_EQ(rows[0]["predictions"], 8);
  EXPECT_EQ(rows[1]["program"], "all");
  EXPECT_FALSE(rows[0]["error"].is_null());
  // Times of at least 3 us: the difference between blocks of 64 and 128 is below 3 %.
  EXPECT_EQ(rows[0]["within_3_percent"], 1.0);
  EXPECT_EQ(rows[0]["at_random_within_3_percent"], 1.0);
  EXPECT_GT(rows[0]["lost_when_kept"].get<double>(), 0);
  EXPECT_NE(rendered.text.find("toy_b: its model has only counts"), std::string::npos);
}

TEST(LaunchShapeTable, ANetOfCountsNeedsNoProgramsAndHasNoTimes) {
  const ValidationRoot root;
  const InputJson rows = rows_of(shapes_of_toy("wpnm"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1]["program"], "toy_b");
  EXPECT_TRUE(rows[1]["error"].is_null());
}

TEST(LaunchShapeTable, ProgramsWhoseThreadsDependOnTheBlockAreSkipped) {
  const ValidationRoot root;
  InputJson model = parse_json(root.root.read("models/toy_a.json"), "toy_a");
  for (InputJson& point : model["points"]) {
    for (InputJson& launch : point["launches"]) {
      launch["grid"] = 4;
      launch["warps"][0]["count"] = launch["block"].get<int>() / 8;
    }
  }
  root.root.write("models/toy_a.json", model.dump());
  const std::string error = test::error_of(ExitCode::kUnavailable, [] { shapes_of_toy("sm"); });
  EXPECT_NE(error.find("toy_a: its number of threads depends on the block"), std::string::npos);
}

TEST(LaunchShapeTable, AnEstimatedDeviceIsMarked) {
  const ValidationRoot root;
  InputJson device = parse_json(root.root.read("models/devices/toy.json"), "toy");
  device["estimate"] = "scaled from h200, never compared with hardware";
  root.root.write("models/devices/toy.json", device.dump());
  EXPECT_NE(shapes_of_toy("sm").text.find("(estimate: scaled from h200"), std::string::npos);
}

}  // namespace
}  // namespace pnsim::experiments
