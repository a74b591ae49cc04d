// Every heuristic of the model, switched off alone.
#include "simulator/model/launch/heuristics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "simulator/base/data_files.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/sm/sm_parameters.h"
#include "tests/support/launches_of_tests.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

// The evidence of heuristics that change no recorded point of the shipped models says so.
bool covers_no_shipped_point(const HeuristicRow& row) {
  return std::string(row.evidence).ends_with(" Covers no shipped point.");
}

// Launches with programs of all points of the shipped models.
std::vector<Launch> shipped_launches() {
  std::vector<Launch> out;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(data_root() + "/models")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const KernelModel model = load_kernel_model(file.string());
    for (const RecordedPoint& point : model.points) {
      for (const Launch& launch : point.launches) {
        if (!launch.segments.empty()) out.push_back(launch);
      }
    }
  }
  return out;
}

TEST(HeuristicTable, HasOneNamedRowForEach) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < heuristics().size(); ++i) {
    const HeuristicRow& row = heuristics()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.heuristic), i);
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is listed twice";
    for (const std::string text : {row.trigger, row.constants, row.evidence, row.fallback})
      EXPECT_FALSE(text.empty()) << row.name;
  }
  EXPECT_EQ(names.size(), kHeuristics);
}

TEST(HeuristicTable, SwitchesOffOneAtATime) {
  const Heuristics without = Heuristics{}.without(Heuristic::kQueueing);
  EXPECT_FALSE(without.on(Heuristic::kQueueing));
  EXPECT_TRUE(without.on(Heuristic::kQueueMix));
  EXPECT_TRUE(Heuristics{}.on(Heuristic::kQueueing));
}

TEST(HeuristicTable, IsTheDocument) {
  std::ifstream in(data_root() + "/docs/heuristics.md");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), heuristics_markdown())
      << "print it again: experiment table heuristics > docs/heuristics.md";
}

// Parameters of the net decide the prediction.
TEST(HeuristicAblation, EveryOneChangesAShippedPrediction) {
  std::vector<Launch> launches = shipped_launches();
  ASSERT_GT(launches.size(), 100u);
  std::vector<ParameterValues> all_on;
  for (const Launch& launch : launches) all_on.push_back(sm_parameters(launch, h200()));
  for (const HeuristicRow& row : heuristics()) {
    const Heuristics without = Heuristics{}.without(row.heuristic);
    bool changes = false;
    for (std::size_t i = 0; i < launches.size() && !changes; ++i)
      changes =
          sm_parameters(launches[i], h200(), FirstBlocks::kInTheirOrder, without) != all_on[i];
    EXPECT_EQ(changes, !covers_no_shipped_point(row)) << row.name;
  }
}

}  // namespace
}  // namespace pnsim
