// Messages that name the command to type next: it can be typed as it is printed, and it works.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string model_text(const std::string& name) {
  return file_text(std::string(PNSIM_TEST_DATA) + "/../../models/" + name + ".json");
}

// A folder whose name needs quotes, with two models.
std::string folder_with_blanks() {
  std::string folder = scratch_folder() + "/my models";
  std::filesystem::create_directory(folder);
  for (const char* name : {"copy", "gather"}) {
    write_text(folder + "/" + name + ".json", model_text(name));
  }
  return folder;
}

TEST(NextCommand, QuotesNamesForTheShell) {
  const std::string folder = folder_with_blanks();
  const std::string quoted = "'" + folder + "'", model = "'" + folder + "/copy.json'";
  const std::vector<std::pair<std::string, std::string>> hints{
      {quoted, "pnsim --model " + quoted},
      {model, "pnsim --model " + model},
      {"rank " + model, "pnsim rank " + model + " --axis"},
      {"rank " + model + " -a n=[1,2]", "pnsim sweep " + model + " -a n="},
      {"compare " + model, "pnsim compare " + model + " --a"},
      {"--model copy --csv " + quoted, "--csv=" + quoted},
  };
  for (const auto& [arguments, said] : hints) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
  }
}

TEST(NextCommand, QuotesThePagesOfAProfile) {
  const std::string folder = scratch_folder() + "/my pages";
  std::filesystem::create_directory(folder);
  const std::string pages = std::string(PNSIM_TEST_DATA) + "/pages/norm_group.";
  for (const std::string page : {"raw.csv", "source.csv"}) {
    std::filesystem::copy_file(pages + page, folder + "/" + page);
  }
  const std::string derive =
      "pnsim derive --ncu '" + folder + "/raw.csv' --source '" + folder + "/source.csv' -o ";
  EXPECT_THAT(run_program("--model '" + folder + "/raw.csv'").err, HasSubstr(derive + "my_models"));
  EXPECT_THAT(run_program("derive --ncu '" + folder + "' -o 'my models'").err,
              HasSubstr(derive + "'my models'"));
}

TEST(NextCommand, ParametersOfANetWithoutReasonsAreSwept) {
  const ProgramResult two = run_program("compare radix_shared --a l1=20 --b l1=40");
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.err, HasSubstr("type: pnsim sweep radix_shared --net wpnm -a l1=[20,40]"));
  EXPECT_THAT(two.err, Not(HasSubstr(": --net wpnm")));
  const ProgramResult one = run_program("rank copy -a block=[64,128] --set l1=40");
  EXPECT_THAT(one.err, HasSubstr("type: pnsim --model copy --net wpnm --set l1=40"));
}

TEST(NextCommand, ABlockThatWasNotRecordedIsAComparison) {
  const ProgramResult result = run_program("--model copy --set block=96 --reasons");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("pnsim compare copy --b block=96"));
  EXPECT_EQ(run_program("compare copy --b block=96 -q").code, 0);
}

TEST(NextCommand, ABlockThatWasNotRecordedKeepsTheOtherAxes) {
  const ProgramResult result = run_program("--model copy --set n=2^16 --set block=96");
  const std::string command = "compare copy --set n=2^16 --b block=96";
  EXPECT_THAT(result.err, HasSubstr(": pnsim " + command));
  EXPECT_THAT(result.err, Not(HasSubstr("..."))) << "it can be typed as it is printed";
  EXPECT_EQ(run_program(command + " -q").code, 0);
}

TEST(NextCommand, NoCommandIsNamedForABlockThatCannotBeInferred) {
  const ProgramResult result = run_program("--model norm_group --set block=512");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("it cannot be inferred either: model norm_group: the points"));
  EXPECT_THAT(result.err, Not(HasSubstr("pnsim compare")));
  EXPECT_THAT(result.err, Not(HasSubstr("pnsim sweep")));
}

TEST(NextCommand, ABlockThatWasNotRecordedIsAComparisonOfAFileOfTheFolder) {
  const std::string folder = scratch_folder() + "/models";
  std::filesystem::create_directory(folder);
  write_text(folder + "/copy.json", model_text("copy"));
  const ProgramResult result = run_program("--model " + folder + " --set block=96");
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("pnsim compare " + folder + "/copy.json --b block=96"));
}

TEST(NextCommand, NoFitIsAdvisedWithoutRecordedTimes) {
  const std::string run = "--model norm_group --net wpnm --device ";
  const ProgramResult none = run_program(run + "a100 -q");
  EXPECT_THAT(none.out, HasSubstr("no times are recorded on a100"));
  EXPECT_THAT(none.out, Not(HasSubstr("calibrate")));
  EXPECT_THAT(run_program(run + "h200 --set l1=161").out, HasSubstr("this fits one: experiment"));
  const ProgramResult sweep = run_program(
      "sweep norm_group --net wpnm --device a100 -a l1=[20,40] -a l2=2 --csv=/dev/null");
  EXPECT_THAT(sweep.err + sweep.out, Not(HasSubstr("calibrate")));
}

TEST(NextCommand, AnOutputIsNoSecondSide) {
  const std::string compare = "compare copy --device h100,h200 ";
  EXPECT_THAT(run_program(compare + "--csv c.csv").err, HasSubstr("written --csv=c.csv"));
  EXPECT_THAT(run_program(compare + "--json c.json").err, HasSubstr("written --json=c.json"));
  EXPECT_THAT(run_program("compare copy --b block=96 --csv c.csv").err,
              HasSubstr("written --csv=c.csv"));
}

TEST(FolderView, TopSaysWhichModelsAreShown) {
  const std::string folder = folder_with_blanks();
  const std::string run = "--model '" + folder + "' --net sm --top 1";
  EXPECT_THAT(run_program(run).out, HasSubstr("the first by file name; --sort time shows"));
  EXPECT_THAT(run_program(run + " --sort time").out,
              HasSubstr("1 of them are shown, those with most time"));
}

TEST(DeviceTable, MayBeSortedAndCut) {
  const std::string folder = folder_with_blanks();
  const std::string compare = "compare '" + folder + "' --device h100,h200 --csv ";
  const std::string all = run_program(compare).out;
  const std::string by_time = run_program(compare + "--sort time --top 1").out;
  EXPECT_THAT(all, HasSubstr("\ncopy.json"));
  EXPECT_NE(by_time.find("copy.json") == std::string::npos,
            by_time.find("gather.json") == std::string::npos)
      << "one of the two: " << by_time;
  EXPECT_EQ(by_time.substr(by_time.find("total")), all.substr(all.find("total")));
  const ProgramResult text = run_program("compare '" + folder + "' --device h100,h200 --top 1");
  EXPECT_THAT(text.out, HasSubstr("1 of 2 kernels are shown, the first by file name"));
  EXPECT_EQ(run_program(compare + "--sort gian").code, 2);
  EXPECT_EQ(run_program("compare copy gather --sort time").code, 2);
}

}  // namespace
}  // namespace pnsim
