// --help of experiment: examples that run, other ways to ask for help, and unknown words.
#include <gmock/gmock.h>

#include "tests/cli/help_examples.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

TEST(ExperimentHelp, EveryExampleOfEveryCommandRuns) {
  const std::string folder = scratch_folder();
  std::vector<std::string> commands{""};
  for (const std::string& name : subcommands_in(help_of(""))) commands.push_back(name);
  EXPECT_EQ(commands.size(), 16u);
  for (const std::string& command : commands) {
    const std::vector<HelpExample> examples = examples_in(help_of(command));
    EXPECT_FALSE(examples.empty()) << command;
    for (const HelpExample& example : examples) {
      // Without a GPU: only whether its options exist.
      const std::string words = example.command.substr(0, example.command.find(" -- "));
      const std::string line = example.needs_more() ? words + " --help" : example.command;
      EXPECT_EQ(run_example(line, folder), 0) << line;
    }
  }
}

TEST(ExperimentHelp, EveryCommandHasUsageOptionsAndExitCodes) {
  for (const std::string& command : subcommands_in(help_of(""))) {
    const std::string help = help_of(command);
    for (const std::string& part :
         {"\nUsage: experiment " + command, std::string("\nOptions:\n"),
          std::string("\n  -q,--quiet "), std::string("\n  -v,--verbose "),
          std::string("\nExit codes:\n  0    done\n")}) {
      EXPECT_THAT(help, HasSubstr(part)) << command;
    }
  }
}

TEST(ExperimentHelp, HelpIsAlsoACommand) {
  EXPECT_EQ(run_program("help").out, run_program("--help").out);
  EXPECT_EQ(run_program("help run").out, run_program("run --help").out);
}

TEST(ExperimentHelp, UnknownOptionsAreAnsweredWithTheNearest) {
  const ProgramResult net = run_program("run copy --nets sm");
  EXPECT_EQ(net.code, 2);
  EXPECT_THAT(net.err, HasSubstr("unknown option --nets of experiment run; did you mean --net?"));
  EXPECT_EQ(run_program("run copy --compare-gup").code, 2);
}

TEST(ExperimentHelp, TheModeOfCompareGpuMayFollowABlank) {
  const std::string folder = scratch_folder(), rest = " -q -a block=[256] -a n[pow2]=[20,21]";
  const ProgramResult blank = run_program("run copy --compare-gpu recorded --out " + folder + rest);
  EXPECT_EQ(blank.code, 0) << blank.err;
  EXPECT_EQ(blank.out, run_program("run copy --compare-gpu=recorded --out " + folder + rest).out);
  EXPECT_THAT(blank.out, HasSubstr("RECORDED"));
  EXPECT_EQ(run_program("run --compare-gpu copy --out " + folder + rest).code, 0);
  EXPECT_EQ(run_program("run copy --compare-gpu=recorder --out " + folder + rest).code, 2);
}

}  // namespace
}  // namespace pnsim::experiments
