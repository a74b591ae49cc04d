// Replays the seeds of every fuzz target and simple mutations of them, and inputs that were once
// findings (findings/TARGET/*).
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, HandlesItsSeeds) {
  const auto seeds = GetParam().seeds();
  EXPECT_GE(seeds.size(), 3u);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    EXPECT_NO_THROW(GetParam().run(seeds[i])) << "seed " << i;
}

TEST_P(Replay, HandlesMutationsOfItsSeeds) {
  constexpr std::size_t kRuns = 200, kLongSeed = 20'000;
  std::vector<std::string> seeds = GetParam().seeds();
  std::erase_if(seeds, [](const std::string& seed) { return seed.size() > kLongSeed; });
  Random random(1);
  for (std::size_t i = 0; i < kRuns; ++i) {
    const std::string input = mutated(seeds[i % seeds.size()], random);
    EXPECT_NO_THROW(GetParam().run(input)) << input;
  }
}

TEST_P(Replay, HandlesWhatWasOnceAFinding) {
  const std::filesystem::path folder =
      std::filesystem::path(PNSIM_TREE) / "tests/fuzz/findings" / GetParam().name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no findings";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string input = tree_file("tests/fuzz/findings/" + std::string(GetParam().name) +
                                        "/" + entry.path().filename().string());
    EXPECT_NO_THROW(GetParam().run(input)) << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace pnsim::fuzz
