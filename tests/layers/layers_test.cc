// The house rules that a program can check: which file includes which, how long files and functions
// are, what tests are called, and that every room explains itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

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

// The folders of the rooms that are `folder` or, if it is none, lie below it.
std::set<std::string> rooms_at(const std::string& folder) {
  std::set<std::string> out;
  for (const test::Room& room : test::rooms()) {
    if (room.folder == folder) return {folder};
    if (room.folder.starts_with(folder + "/")) out.insert(room.folder);
  }
  return out;
}

// The folders that a word of CONTRIBUTING.md's column "may include" means in the row of `room`:
// beside the room, in the simulator, or at the top.
std::set<std::string> rooms_named(std::string word, const std::string& room) {
  if (word.starts_with("all of ")) return rooms_at(word.substr(7));
  if (word == "simulator (not cli)") {
    std::set<std::string> out = rooms_at("simulator");
    out.erase("simulator/cli");
    return out;
  }
  const std::string beside = room.substr(0, room.rfind('/') + 1);
  for (const std::string& folder : {beside + word, "simulator/" + word, word}) {
    if (auto found = rooms_at(folder); !found.empty()) return found;
  }
  ADD_FAILURE() << room << ": there is no room " << word;
  return {};
}

// The third column of the row of a room; "" without such a row.
std::string may_include_text(const std::string& text, const std::string& room) {
  const std::size_t row = text.find("\n| `" + room + "` | ");
  if (row == std::string::npos) return "";
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  const std::size_t column = line.rfind(" | ", line.size() - 3) + 3;
  return line.substr(column, line.size() - 2 - column);
}

TEST(Layers, ContributingHasTheTableOfRules) {
  const std::string text = test::text_of(kRoot / "CONTRIBUTING.md");
  for (const test::Room& room : test::rooms()) {
    EXPECT_TRUE(std::filesystem::is_directory(kRoot / room.folder)) << room.folder;
    const auto is_own = [&](const std::string& folder) {
      return folder == room.folder || folder.starts_with(room.folder + "/");
    };
    std::set<std::string> rules(room.may_include.begin(), room.may_include.end()), said;
    std::istringstream words(may_include_text(text, room.folder));
    for (std::string word; std::getline(words >> std::ws, word, ',');) {
      if (word != "-") said.merge(rooms_named(word, room.folder));
    }
    EXPECT_NE(may_include_text(text, room.folder), "") << room.folder;
    std::erase_if(rules, is_own);
    std::erase_if(said, is_own);
    EXPECT_EQ(said, rules) << room.folder;
  }
}

TEST(Layers, NoUnitsIncludeEachOther) { EXPECT_EQ(test::include_cycles(kRoot), Lines{}); }

TEST(Layers, EveryRoomHasAReadme) { EXPECT_EQ(test::readme_faults(kRoot), Lines{}); }

TEST(Layers, TestsStateABehaviourInCamelCase) { EXPECT_EQ(test::test_name_faults(kRoot), Lines{}); }

TEST(Layers, NoHeaderOfTheGpuRoomShowsTheCompilerOfTheDeviceSpdlog) {
  std::size_t files = 0;
  for (const std::string& file : test::source_files(kRoot)) {
    if (!file.starts_with("gpu/")) continue;
    ++files;
    EXPECT_EQ(test::text_of(kRoot / file).find("#include <spdlog"), std::string::npos) << file;
  }
  EXPECT_GT(files, 50u);
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
