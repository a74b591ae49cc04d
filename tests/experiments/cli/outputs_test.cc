// No output of `experiment` replaces an input, a shipped file or a recorded one, except the files
// that the command exists to change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"
#include "tests/experiments/run/toy_root.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

// As `experiment devices --json` prints them.
const char* const kFacts = R"({"name":{"value":"NVIDIA T1","unit":null,"source":"s"},
"driver":{"value":"580.1","unit":null,"source":"s"},
"sms":{"value":132,"unit":"SM","source":"a"},
"schedulers_per_sm":{"value":4,"unit":"scheduler","source":"a"},
"max_sm_clock":{"value":1980000,"unit":"kHz","source":"clock"},
"warp_size":{"value":32,"unit":"thread","source":"a"},
"max_warps_per_sm":{"value":64,"unit":"warp","source":"a"},
"max_blocks_per_sm":{"value":32,"unit":"block","source":"a"},
"registers_per_sm":{"value":65536,"unit":"register","source":"a"},
"shared_memory_per_sm":{"value":233472,"unit":"byte","source":"a"},
"l2_bytes":{"value":62914560,"unit":"byte","source":"a"},
"memory_clock":{"value":3201000,"unit":"kHz","source":"a"},
"memory_bus_width":{"value":6016,"unit":"bit","source":"a"}})";

// Runs the command; it must be refused with 2 and leave the file as it was.
void expect_kept(const std::string& command, const std::string& file, const std::string& says) {
  const std::string before = file_text(file);
  const ProgramResult result = run_program(command);
  EXPECT_EQ(result.code, 2) << command << "\n" << result.err;
  EXPECT_THAT(result.err, HasSubstr(says)) << command;
  EXPECT_EQ(file_text(file), before) << command;
}

TEST(ExperimentOutputs, AreNeverShippedOrRecorded) {
  const ToyRoot root;
  const std::string times = root.path("results/toy/times.jsonl"),
                    spec = root.path("experiments/specs/toy.json"),
                    net = root.path("models/nets/wpnm.json"), out = " --out " + root.path("out"),
                    first = root.path("experiments/others/a_h200/first_prediction.csv");
  std::filesystem::create_directories(root.path("experiments/others/a_h200"));
  root.write("experiments/others/a_h200/first_prediction.csv", "index\n");
  for (const std::string& file : {times, spec, net, first}) {
    for (const char* command : {"list", "show toy", "doctor", "devices", "table modes --device toy",
                                "calibrate toy --out /dev/null", "repeat --device toy"}) {
      expect_kept(command + (" --json=" + file), file, " file: name another file");
    }
    expect_kept("run toy --json=" + file + out, file, " file: name another file");
    expect_kept("run toy --csv=" + file + out, file, " file: name another file");
    expect_kept("validate toy --csv=" + file + out, file, " file: name another file");
  }
  expect_kept("run toy --out " + root.path("results/toy"), times, "among the recorded results");
  expect_kept("validate toy --out " + root.path("models"), net, "among the shipped files");
  expect_kept("calibrate toy --out " + net, net, "is a shipped file");
  expect_kept("calibrate toy --out " + spec, spec, "is a shipped file");
  expect_kept("microbench --out " + spec, spec, "is a shipped file");
}

TEST(ExperimentOutputs, AreNeverWhatTheCommandReads) {
  const ToyRoot root;
  const std::string run = root.path("run"), spec = root.path("own.json"),
                    device = root.path("device.json"), net = root.path("net.json"),
                    out = " --out " + run;
  root.write("own.json", ToyRoot::spec());
  root.write("device.json", root.read("models/devices/toy.json"));
  root.write("net.json", root.read("models/nets/wpnm.json"));
  expect_kept("run " + spec + " --json=" + spec + out, spec, "is an input");
  expect_kept("run toy --device " + device + " --json=" + device + out, device, "is an input");
  expect_kept("run toy --net " + net + " --csv=" + net + out, net, "is an input");
  expect_kept("calibrate " + spec + " --out " + spec, spec, "is an input");
  ASSERT_EQ(run_program("run toy --compare-gpu=recorded" + out).code, 0);
  expect_kept("report " + run + " --json=" + run + "/points.jsonl", run + "/points.jsonl",
              "is an input");
  expect_kept("report " + run + " --csv=" + run + "/../run/grid.jsonl", run + "/grid.jsonl",
              "is an input");
  const std::string times = root.path("times.jsonl");
  root.write("times.jsonl", root.read("results/toy/times.jsonl"));
  expect_kept("repeat " + times + " " + times + " --json=" + times, times, "is an input");
}

TEST(ExperimentOutputs, FactsAndPagesAreNeverReplaced) {
  const OwnFolder own;
  const std::string pages = own.folder.write("raw.csv", file_text(own.files.pages));
  const std::string options = "validate -q --pages " + pages + " --source " + own.files.source +
                              " --times " + own.files.times + " --out " + own.folder.path("out");
  expect_kept(options + " --json=" + pages, pages, "is an input");
  expect_kept(options + " --csv=" + own.files.times, own.files.times, "is an input");
  const ToyRoot root;
  root.write("facts.json", kFacts);
  const std::string facts = root.path("facts.json");
  expect_kept("devices --import " + facts + " -o " + facts, facts, "is an input");
  expect_kept("devices --import " + facts + " -o " + root.path("models/toy_a.json"),
              root.path("models/toy_a.json"), "is a shipped file");
  EXPECT_EQ(run_program("devices --import " + facts).code, 0);  // into models/devices
}

// The files that a command exists to change.
TEST(ExperimentOutputs, CommandsThatStoreWriteToTheDataFolder) {
  const ToyRoot root;
  EXPECT_EQ(run_program("calibrate toy -q").code, 0);
  EXPECT_THAT(root.read("results/toy/time_scale.jsonl"), HasSubstr("\"kind\":\"time_scale\""));
  EXPECT_EQ(run_program("calibrate toy -q --out " + root.path("results/toy/time_scale.jsonl")).code,
            0);
  EXPECT_EQ(run_program("calibrate toy -q --out " + root.path("scale.jsonl")).code, 0);
  // A resumed run keeps existing cells.
  const std::string run = "run toy -q --compare-gpu=recorded --out " + root.path("run");
  ASSERT_EQ(run_program(run).code, 0);
  const std::string grid = root.read("run/grid.jsonl");
  EXPECT_EQ(run_program(run + " --resume").code, 0);
  EXPECT_EQ(root.read("run/grid.jsonl"), grid);
}

// The rows and tables of a run lie in a folder in which an input may lie too.
TEST(ExperimentOutputs, RowsOfARunNeverReplaceItsInputs) {
  const ToyRoot root;
  std::filesystem::create_directories(root.path("run"));
  const std::string options = " --compare-gpu=recorded --out " + root.path("run");
  for (const char* name : {"run/grid.jsonl", "run/times.jsonl"}) {
    const std::string file = root.path(name);
    root.write(name, root.read("models/devices/toy.json"));
    expect_kept("run toy --device " + file + options, file, "is an input");
    expect_kept("run toy --resume --device " + file + options, file, "is an input");
    root.write(name, root.read("models/nets/wpnm.json"));
    expect_kept("run toy --net " + file + options, file, "is an input");
    root.write(name, ToyRoot::spec());
    expect_kept("run " + file + options, file, "is an input");
    std::filesystem::remove(file);
  }
}

// --resume shortens a file only if this command may write it.
TEST(ExperimentOutputs, AResumedRunLeavesARecordedFileBehindALink) {
  const ToyRoot root;
  const std::string recorded = root.path("results/toy/more.rows");
  root.write("results/toy/more.rows", "{\"id\":\"1\"}\n{\"id\":\"2\",");
  std::filesystem::create_directories(root.path("run"));
  std::filesystem::create_symlink(recorded, root.path("run/grid.jsonl"));
  expect_kept("run toy --resume --compare-gpu=recorded --out " + root.path("run"), recorded,
              "is a recorded file");
}

TEST(ExperimentOutputs, NoneReplacesAnotherOneOfTheSameCommand) {
  const ToyRoot root;
  const std::string run = root.path("run"), z = root.path("z");
  std::filesystem::create_directories(run);
  const std::string command = "run toy --compare-gpu=recorded --out " + run;
  EXPECT_THAT(run_program(command + " --json=" + z + " --csv=" + z).err,
              HasSubstr("two outputs name the same file"));
  EXPECT_FALSE(std::filesystem::exists(z));
  ASSERT_EQ(run_program(command).code, 0);
  for (const char* name : {"points.jsonl", "grid.jsonl", "run.json", "report.md"}) {
    const std::string file = run + "/" + name;
    expect_kept(command + " --json=" + file, file, "two outputs name the same file");
    expect_kept(command + " --csv=" + file, file, "two outputs name the same file");
  }
  expect_kept("report " + run + " --json=" + run + "/report.md", run + "/report.md",
              "two outputs name the same file");
  EXPECT_EQ(run_program(command + " --json=" + run + "/toy_a.svg").code, 2);
  EXPECT_EQ(run_program(command + " --json=" + z + " --csv=" + run + "/own.csv").code, 0);
  for (const std::string flag : {" --json=", " --csv="}) {
    const ProgramResult all = run_program("run all" + flag + z + "2 --out " + run);
    EXPECT_EQ(all.code, 2);
    EXPECT_THAT(all.err, HasSubstr("every experiment would replace the output"));
  }
  EXPECT_FALSE(std::filesystem::exists(z + "2"));
}

// The profiler's pages are written by another program.
TEST(ExperimentOutputs, AValidationWritesNothingAmongItsModels) {
  const OwnFolder own;
  const std::string models = own.folder.path("models"), times = own.files.times;
  own.folder.write("models/a.json", "{}");
  const std::string validate = "validate --models " + models + " --times " + times;
  const std::pair<std::string, std::string> refusals[] = {
      {" --out " + models, "name another folder, as in --out " + models + "-validation"},
      {" --out " + models + "/", "name another folder, as in --out " + models + "-validation"},
      {" --json=" + models + "/x.json --out " + own.folder.path("out"),
       "would be one of the folder's models"}};
  for (const auto& [options, says] : refusals) {
    const ProgramResult result = run_program(validate + options);
    EXPECT_EQ(result.code, 2) << options << result.err;
    EXPECT_THAT(result.err, HasSubstr(says)) << options;
  }
  EXPECT_FALSE(std::filesystem::exists(models + "/summary.json"));
}

TEST(ExperimentOutputs, AValidationReplacesNoFileOfItsFolderByAnother) {
  const OwnFolder own;
  const std::string out = own.folder.path("out");
  const std::string validate = "validate " + own.options() + " --out " + out;
  for (const std::string& option :
       {"--json=" + out + "/points.csv", "--csv=" + out + "/summary.json",
        "--csv=" + out + "/scatter.svg", "--html " + out + "/report.md"}) {
    const ProgramResult result = run_program(validate + " " + option);
    EXPECT_EQ(result.code, 2) << option << result.err;
    EXPECT_THAT(result.err, HasSubstr("two outputs name the same file")) << option;
  }
  std::filesystem::create_directories(out);
  own.folder.write("out/run.json", "{}");
  expect_kept(validate, out + "/run.json", "found a run of an experiment");
}

TEST(ExperimentOutputs, AValueOfCsvIsNoExperiment) {
  const OwnFolder own;
  for (const std::string flag : {"--csv", "--json"}) {
    const std::string file = "out." + flag.substr(2);
    const ProgramResult result = run_program("validate " + own.options() + " " + flag + " " + file);
    EXPECT_EQ(result.code, 2) << flag;
    EXPECT_THAT(result.err, HasSubstr("a value of " + flag + " is written " + flag + "=" + file));
  }
}

TEST(ExperimentOutputs, InNoDirectoryAreRefusedBeforeComputing) {
  const OwnFolder own;
  const ProgramResult result =
      run_program("validate " + own.options() + " --html " + own.folder.path("no/a.html") +
                  " --out " + own.folder.path("out"));
  EXPECT_EQ(result.code, 74);
  EXPECT_THAT(result.err, HasSubstr("a.html: cannot be written: the directory "));
  EXPECT_FALSE(std::filesystem::exists(own.folder.path("out")));
}

TEST(ExperimentOutputs, KeptPagesNeverReplaceARecordedFile) {
  const ToyRoot root;
  const std::string times = root.path("results/toy/times.jsonl"), keep = root.path("keep");
  std::filesystem::create_directories(keep);
  for (const char* page : {"raw.csv", "source.csv", "manifest.jsonl", "ncu-rep"}) {
    const std::string link = keep + "/radix_shared." + page;
    std::filesystem::create_symlink(times, link);
    expect_kept("counts -a program=[radix_shared] -a n=[4096] --keep " + keep, times,
                "is a recorded file");
    std::filesystem::remove(link);
  }
}

// Notes that were named by mistake stay as they are.
TEST(ExperimentOutputs, ATextThatHoldsNoRowsGetsNone) {
  const ToyRoot root;
  root.write("notes.txt", "first line\nmy only notes");
  const ProgramResult result = run_program("calibrate toy -q --out " + root.path("notes.txt"));
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the last line has no newline and is not a row"));
  EXPECT_EQ(root.read("notes.txt"), "first line\nmy only notes");
}

}  // namespace
}  // namespace pnsim::experiments
