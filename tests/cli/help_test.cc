// --help: every command has examples that run, and unknown words are answered with the nearest.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/cli/help_examples.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The files that the examples find on the machine of a user.
std::string folder_with_pages() {
  const std::string folder = scratch_folder();
  const std::filesystem::path pages(PNSIM_TEST_DATA "/pages");
  std::filesystem::copy_file(pages / "norm_group.raw.csv", folder + "/raw.csv");
  std::filesystem::copy_file(pages / "norm_group.source.csv", folder + "/source.csv");
  return folder;
}

TEST(PnsimHelp, EveryExampleOfEveryCommandRuns) {
  const std::string folder = folder_with_pages();
  std::vector<std::string> commands{""};
  for (const std::string& name : subcommands_in(help_of(""))) commands.push_back(name);
  EXPECT_EQ(commands.size(), 15u);
  for (const std::string& command : commands) {
    const std::vector<HelpExample> examples = examples_in(help_of(command));
    EXPECT_FALSE(examples.empty()) << command;
    for (const HelpExample& example : examples) {
      if (example.needs_ncu()) continue;
      EXPECT_EQ(run_example(example.command, folder), 0) << example.command;
    }
  }
}

TEST(PnsimHelp, EveryCommandHasUsageOptionsAndExitCodes) {
  for (const std::string& command : subcommands_in(help_of(""))) {
    const std::string help = help_of(command);
    EXPECT_THAT(help, HasSubstr("\nUsage: pnsim " + command)) << command;
    EXPECT_THAT(help, HasSubstr("\nOptions:\n")) << command;
    EXPECT_THAT(help, HasSubstr("\n  -q,--quiet ")) << command;
    EXPECT_THAT(help, HasSubstr("\nExamples:\n")) << command;
    EXPECT_THAT(help, HasSubstr("\nExit codes:\n  0    done\n")) << command;
  }
}

TEST(PnsimHelp, CommandsBelowACommandHaveExamplesAndExitCodes) {
  const std::string folder = scratch_folder();
  for (const std::string command : {"device scale", "device list"}) {
    const std::string help = help_of(command);
    EXPECT_THAT(help, HasSubstr("\nExit codes:\n  0    done\n")) << command;
    EXPECT_FALSE(examples_in(help).empty()) << command;
    for (const HelpExample& example : examples_in(help)) {
      EXPECT_EQ(run_example(example.command, folder), 0) << example.command;
    }
  }
  EXPECT_THAT(help_of("device scale"), HasSubstr("pnsim show SOURCE lists"));
}

TEST(PnsimModels, SaysWhatEachKernelDoes) {
  const std::string out = run_program("models").out;
  EXPECT_THAT(out, HasSubstr("what it does"));
  EXPECT_THAT(out, HasSubstr("fetches words from random places of a table\n"));
}

TEST(PnsimHelp, AnArgumentThatHasANameTooIsDescribedOnce) {
  for (const std::string command : {"sweep", "sensitivity", "rank"}) {
    const std::string help = help_of(command);
    const std::size_t first = help.find("REQUIRED");
    EXPECT_NE(first, std::string::npos) << command;
    EXPECT_EQ(help.find("REQUIRED", first + 1), std::string::npos) << command;
    EXPECT_THAT(help, HasSubstr("another way to give INPUT")) << command;
  }
}

TEST(PnsimHelp, HelpIsAlsoACommand) {
  EXPECT_EQ(run_program("help").out, run_program("--help").out);
  EXPECT_EQ(run_program("help run").out, run_program("run --help").out);
  const ProgramResult unknown = run_program("help rum");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown command \"rum\"; did you mean \"run\"?"));
}

TEST(PnsimHelp, AnUnknownOptionIsAnsweredWithTheNearest) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"--modle norm_group", "unknown option --modle of pnsim; did you mean --model?"},
      {"run --modle norm_group", "unknown option --modle of pnsim run; did you mean --model?"},
      {"run wpnm --replica=3 --sead 2", "unknown option --sead of pnsim run; did you mean --seed?"},
      {"sweep wpnm --axes l1=[1:3]", "unknown option --axes of pnsim sweep; did you mean --axis?"},
      {"models --json", "unknown option --json of pnsim models; pnsim models --help lists all"},
      {"run wpnm -x", "unknown option -x of pnsim run"},
  };
  for (const auto& [arguments, said] : refusals) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
    EXPECT_EQ(result.out, "");
  }
}

TEST(PnsimHelp, AWordBehindAFlagIsExplained) {
  const ProgramResult result = run_program("run wpnm --json out.json");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(
      result.err,
      HasSubstr("unexpected argument \"out.json\" of pnsim run; a value of --json is written "
                "--json=out.json; try: pnsim run --help"));
}

TEST(PnsimHelp, QuietIsTakenEverywhere) {
  for (const char* arguments :
       {"-q models", "models -q", "doctor --quiet", "show wpnm -q", "check wpnm -q",
        "exact wpnm --set W=1 -q", "run wpnm -q", "-q --model norm_group"}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_EQ(result.err, "") << arguments;
  }
}

}  // namespace
}  // namespace pnsim
