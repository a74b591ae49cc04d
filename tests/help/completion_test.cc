// What the shells offer after each beginning of a command line.
#include "simulator/help/completion.h"

#include <gtest/gtest.h>

#include "simulator/help/help_commands.h"
#include "tests/base/error_of.h"
#include "tests/help/toy_program.h"

namespace pnsim {
namespace {

using Words = std::vector<std::string>;

CompletionRules rules() {
  const auto nets = [] { return Words{"sm", "wpnm"}; };
  const auto inputs = [] { return Words{"copy", "gather"}; };
  return {{{"merge", "--net", [] { return Words{"other"}; }},
           {"", "--net", nets},
           {"run", "INPUT", inputs}},
          "run"};
}

// The candidates without their descriptions.
Words candidates(const Words& words) {
  test::ToyProgram toy;
  std::istringstream lines(completions(toy.app, words, rules()));
  Words out;
  for (std::string line; std::getline(lines, line);) out.push_back(line.substr(0, line.find('\t')));
  return out;
}

TEST(Completion, BeginsWithTheCommands) {
  EXPECT_EQ(candidates({""}), (Words{"run", "merge"}));
  EXPECT_EQ(candidates({}), (Words{"run", "merge"}));
  EXPECT_EQ(candidates({"m"}), (Words{"merge"}));
  EXPECT_EQ(candidates({"secr"}), Words{});
}

TEST(Completion, DescribesWhatItOffers) {
  test::ToyProgram toy;
  EXPECT_EQ(completions(toy.app, {"r"}, rules()), "run\trun a net\n");
}

TEST(Completion, OffersTheOptionsOfTheCommand) {
  EXPECT_EQ(candidates({"merge", "-"}), (Words{"--help"}));
  EXPECT_EQ(candidates({"run", "x", "--n"}), (Words{"--net"}));
  EXPECT_EQ(candidates({"run", "--in"}), Words{});  // hidden
}

TEST(Completion, OffersTheOptionsOfTheDefaultCommandWithoutItsName) {
  EXPECT_EQ(candidates({"--"}),
            (Words{"--help", "--quiet", "--net", "--on", "--threads", "--json"}));
  EXPECT_EQ(candidates({"--on", "gpu", "--net", "s"}), (Words{"sm", kFilesToo}));
}

TEST(Completion, OffersNamesOrFilesAsValues) {
  EXPECT_EQ(candidates({"run", "--net", ""}), (Words{"sm", "wpnm", kFilesToo}));
  EXPECT_EQ(candidates({"run", "--net=w"}), (Words{"--net=wpnm", kFilesToo}));
  EXPECT_EQ(candidates({"run", "--on", ""}), (Words{"cpu", "gpu"}));
  EXPECT_EQ(candidates({"run", "--json=x"}), (Words{kFilesToo}));
  EXPECT_EQ(candidates({"run", "-j", ""}), (Words{kFilesToo}));
}

TEST(Completion, CountsTheArgumentsByPosition) {
  EXPECT_EQ(candidates({"run", "--net", "sm", "g"}), (Words{"gather", kFilesToo}));
  EXPECT_EQ(candidates({"run", "gather", ""}), Words{});
  EXPECT_EQ(candidates({"merge", "a", "b", ""}), (Words{kFilesToo}));
}

TEST(Completion, SurvivesWordsThatAreNotValid) {
  EXPECT_EQ(candidates({"walk", ""}), (Words{"run", "merge"}));
  EXPECT_EQ(candidates({"run", "--no-such=", "--no-such=x"}), Words{});
  EXPECT_EQ(candidates({"-", "--", "=", "-=", ""}), (Words{"run", "merge"}));
}

TEST(HelpCommands, AreAskedBeforeTheCommandLineIsParsed) {
  test::ToyProgram toy;
  EXPECT_TRUE(is_help_command({"complete", ""}));
  EXPECT_TRUE(is_help_command({"manual"}));
  EXPECT_FALSE(is_help_command({}));
  EXPECT_FALSE(is_help_command({"run", "complete"}));
  EXPECT_EQ(help_command_text(toy.app, {"complete", "mer"}, rules()), "merge\tmerge rows\n");
  EXPECT_EQ(test::error_of(ExitCode::kUsage,
                           [&] {
                             help_command_text(toy.app, {"manual", "x"}, rules());
                           }),
            "manual takes no arguments, found \"x\"; try: toy manual | man -l -");
}

}  // namespace
}  // namespace pnsim
