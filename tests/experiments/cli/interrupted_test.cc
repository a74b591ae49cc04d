// Commands that a signal ends: what they keep, and what they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/child.h"
#include "tests/cli/program.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// The signal arrives while cells are simulated. The rows of finished cells must be kept.
TEST(InterruptedExperiment, KeepsFinishedCellsAndSaysSo) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const ToyRoot root;
    const std::string out = root.path("out"), log = root.path("log");
    Child child(words_of("run toy -q --compare-gpu=recorded -a l1=[1:2000] --out " + out), log);
    ASSERT_TRUE(wait_for_bytes(out + "/grid.jsonl", 1));
    child.send(signal);
    EXPECT_EQ(child.wait(), 128 + signal);
    const std::string rows = root.read("out/grid.jsonl");
    EXPECT_THAT(rows, StartsWith("{\"id\":"));
    EXPECT_THAT(rows, EndsWith("\n"));
    EXPECT_THAT(file_text(log), HasSubstr("experiment: interrupted; "));
    EXPECT_THAT(file_text(log), HasSubstr(" of 4000 cells kept in " + out +
                                          "/grid.jsonl: continue with --resume\n"));
  }
}

TEST(InterruptedExperiment, SaysOfAValidationThatNothingWasWritten) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string folder = scratch_folder();
    Child child(words_of("validate all --out " + folder + "/out"), folder + "/log");
    ASSERT_TRUE(wait_for_text(folder + "/log", "points by "));
    child.send(signal);
    EXPECT_EQ(child.wait(), 128 + signal);
    EXPECT_THAT(file_text(folder + "/log"), HasSubstr("interrupted; nothing was written"));
  }
}

}  // namespace
}  // namespace pnsim::experiments
