// `experiment run` into a folder that an earlier run has written, or that another process writes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "tests/cli/program.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

TEST(EarlierRun, CellsOfAnUnfinishedGridAreNotDiscarded) {
  const ToyRoot root;
  const std::string out = root.path("out");
  const std::string run = "run toy -q --compare-gpu=recorded --out " + out;
  ASSERT_EQ(run_program(run).code, 0);
  const std::string whole = root.read("out/grid.jsonl");
  const std::string two = whole.substr(0, whole.find('\n', whole.find('\n') + 1) + 1);
  root.write("out/grid.jsonl", two);
  const std::string settings = root.read("out/run.json");
  const ProgramResult again = run_program(run + " --seed 2");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err,
              HasSubstr(out + "/grid.jsonl: found 2 of 4 cells of an earlier run, which this "
                              "one would discard: continue with --resume"));
  EXPECT_EQ(root.read("out/grid.jsonl"), two);
  EXPECT_EQ(root.read("out/run.json"), settings);
  EXPECT_EQ(run_program(run + " --resume").code, 0);
  EXPECT_EQ(root.read("out/grid.jsonl"), whole);
}

TEST(EarlierRun, ThatIsFinishedIsReplacedWithANote) {
  const ToyRoot root;
  const std::string run = "run toy --compare-gpu=recorded --out " + root.path("out");
  ASSERT_EQ(run_program(run).code, 0);
  const ProgramResult again = run_program(run + " --seed 2");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("/out: the results of an earlier run are replaced"));
}

TEST(EarlierRun, IsNotMixedWithThatOfAnotherExperiment) {
  const ToyRoot root;
  std::string other = ToyRoot::spec();
  other.replace(other.find("\"toy\""), 5, "\"other\"");
  root.write("experiments/specs/other.json", other);
  const std::string options = " -q --compare-gpu=recorded --out " + root.path("out");
  ASSERT_EQ(run_program("run toy" + options).code, 0);
  const std::string settings = root.read("out/run.json");
  for (const char* more : {"", " --resume"}) {
    const ProgramResult result = run_program("run other" + options + more);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("/out/run.json: found a run of the experiment \"toy\", "
                                      "expected one of \"other\" or an empty folder"));
  }
  EXPECT_EQ(root.read("out/run.json"), settings);
}

TEST(EarlierRun, ThatIsStillRunningIsRefusedWith4) {
  const ToyRoot root;
  const std::string out = root.path("out");
  std::filesystem::create_directories(out);
  const int folder = ::open(out.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);
  const ProgramResult second = run_program("run toy --compare-gpu=recorded --out " + out);
  ::close(folder);
  EXPECT_EQ(second.code, 4);
  EXPECT_THAT(second.err, HasSubstr(out + ": another process is writing to this folder"));
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

}  // namespace
}  // namespace pnsim::experiments
