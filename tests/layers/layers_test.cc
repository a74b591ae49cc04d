// The house rules that a program can check: which file includes which, how long files and functions
// are, what tests are called, and that every room explains itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/layers/function_lengths.h"
#include "tests/layers/house_rules.h"
#include "tests/layers/include_cycles.h"
#include "tests/layers/include_rules.h"

namespace pnsim {
namespace {

using Lines = std::vector<std::string>;

const std::filesystem::path kRoot =
    std::filesystem::path(PNSIM_TEST_DATA).parent_path().parent_path();

TEST(Layers, NoRoomIncludesWhatItMayNot) {
  EXPECT_GT(test::source_files(kRoot).size(), 50u);
  EXPECT_EQ(test::include_faults(kRoot), Lines{});
}

TEST(Layers, ContributingHasARowForEachRoom) {
  const std::string text = test::text_of(kRoot / "CONTRIBUTING.md");
  for (const test::Room& room : test::rooms()) {
    EXPECT_NE(text.find("\n| `" + room.folder + "` | "), std::string::npos) << room.folder;
    EXPECT_TRUE(std::filesystem::is_directory(kRoot / room.folder)) << room.folder;
  }
}

TEST(Layers, NoUnitsIncludeEachOther) { EXPECT_EQ(test::include_cycles(kRoot), Lines{}); }

TEST(Layers, EveryRoomHasAReadme) { EXPECT_EQ(test::readme_faults(kRoot), Lines{}); }

TEST(Layers, TestsStateABehaviourInCamelCase) { EXPECT_EQ(test::test_name_faults(kRoot), Lines{}); }

TEST(Layers, NoHeaderOfTheGpuRoomShowsTheCompilerOfTheDeviceSpdlog) {
  for (const std::string& file : test::source_files(kRoot)) {
    if (!file.starts_with("gpu/")) continue;
    EXPECT_EQ(test::text_of(kRoot / file).find("#include <spdlog"), std::string::npos) << file;
  }
}

TEST(Sizes, NoFileIsLongerThan400Lines) { EXPECT_EQ(test::long_files(kRoot, 400), Lines{}); }

// The sources with the CUDA kernels, without the tests.
TEST(Sizes, FunctionsAreShort) {
  std::vector<std::size_t> lengths;
  for (const std::string& file : test::source_files(kRoot)) {
    for (const auto& function : test::function_lengths(test::text_of(kRoot / file))) {
      EXPECT_LE(function.lines, 60u) << file << ":" << function.line;
      lengths.push_back(function.lines);
    }
  }
  ASSERT_GT(lengths.size(), 300u);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_LE(lengths[lengths.size() / 2], 8u);
  EXPECT_LE(lengths[lengths.size() * 95 / 100], 40u);
}

}  // namespace
}  // namespace pnsim
