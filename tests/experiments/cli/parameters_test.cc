// Tests `experiment run` with other values of the net's parameters, and mistakes at its command
// line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ExperimentRun, OneValueOfAParameterIsThatOfThePoints) {
  const ToyRoot root;
  const std::string run = "run toy -q --out " + root.path("out");
  const std::string paper = run_program(run + " --csv").out;
  const ProgramResult given = run_program(run + " -a l1=90 -a l2=4");
  ASSERT_EQ(given.code, 0) << given.err;
  EXPECT_THAT(given.out, HasSubstr("S=4 l1=90 l2=4"));
  EXPECT_NE(run_program(run + " -a l1=90 --csv").out, paper);
  const ProgramResult grid = run_program(run + " -a l1=90 --compare-gpu=recorded");
  EXPECT_THAT(grid.out, HasSubstr("as given"));
}

TEST(ExperimentRun, SeveralValuesOfAParameterNeedTheGrid) {
  const ToyRoot root;
  const std::string run = "run toy -a l1=[20,90] --out " + root.path("out");
  const ProgramResult alone = run_program(run);
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("add --compare-gpu=recorded; or give one value"));
  EXPECT_FALSE(std::filesystem::exists(root.path("out")));
  const ProgramResult compared = run_program(run + " --compare-gpu=recorded");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_THAT(compared.err,
              HasSubstr("the values of l1 are cells of the grid; the points have l1=20 l2=2"));
}

TEST(ExperimentRun, WithoutRecordedTimesNoFitIsAdvised) {
  const ToyRoot root;
  root.write("results/toy/times.jsonl", "");
  const ProgramResult run = run_program("run toy --out " + root.path("out"));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("no times are recorded on toy"));
  EXPECT_THAT(run.err, Not(HasSubstr("calibrate")));
}

TEST(ExperimentRun, ASettingIsAnAxis) {
  const ProgramResult result = run_program("run radix --set l1=40");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("-a l1=40"));
}

TEST(ExperimentValidate, FilesOfAProfileAreAnsweredWithTheCommand) {
  const std::string command =
      "experiment validate --pages RAW.csv --source SOURCE.csv --times TIMES.csv";
  for (const char* arguments : {"validate raw.csv", "validate raw.csv source.csv times.csv"}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(command)) << arguments;
  }
}

TEST(ExperimentValidate, AFolderOfPagesIsAnsweredWithItsFiles) {
  const std::string folder = scratch_folder();
  const std::string pages = std::string(PNSIM_TEST_DATA) + "/pages/norm_group.";
  for (const std::string page : {"raw.csv", "source.csv"}) {
    std::filesystem::copy_file(pages + page, folder + "/" + page);
  }
  write_text(folder + "/times.csv", "");
  const ProgramResult result = run_program("validate --pages " + folder);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("type: experiment validate --pages " + folder + "/raw.csv --source " +
                        folder + "/source.csv --times " + folder + "/times.csv"));
}

}  // namespace
}  // namespace pnsim::experiments
