// No output replaces an input, a shipped file or a recorded one, whatever its spelling or link.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const char* const kNet = R"({"kind": "net", "name": "a", "places": [{"name": "p", "tokens": 1}],
  "transitions": [{"name": "t", "takes": {"p": 1}}], "until": ["p=0"]})";

// A copy of what the commands need, which an output may destroy.
class DataFolder {
 public:
  DataFolder() : path_(scratch_folder() + "/home") {
    const fs::path shipped = fs::path(PNSIM_TEST_DATA).parent_path().parent_path();
    for (const char* folder :
         {"models/nets", "models/devices", "experiments/specs", "results/h200"})
      fs::create_directories(fs::path(path_) / folder);
    for (const char* file :
         {"models/nets/wpnm.json", "models/devices/h200.json", "experiments/specs/radix.json"})
      fs::copy(shipped / file, fs::path(path_) / file);
    write_text(path("results/h200/times.jsonl"), "{\"id\":\"1\",\"kind\":\"none\"}\n");
    ::setenv("PNSIM_HOME", path_.c_str(), 1);
  }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;
  ~DataFolder() { ::unsetenv("PNSIM_HOME"); }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Runs the command; returns whether it was refused with 2 and did not change the file.
void expect_refused(const std::string& command, const std::string& file, const std::string& says) {
  const std::string before = file_text(file);
  const ProgramResult result = run_program(command);
  EXPECT_EQ(result.code, 2) << command << "\n" << result.err;
  EXPECT_THAT(result.err, HasSubstr(says)) << command;
  EXPECT_EQ(file_text(file), before) << command;
}

TEST(Outputs, ADashIsNoFileName) {
  const std::string folder = scratch_folder(), net = folder + "/a.json";
  write_text(net, kNet);
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  for (const std::string command :
       {"convert a.json -o -", "sweep wpnm -a l1=[1,2] -o -", "sweep wpnm -a l1=[1,2] --plot -",
        "device scale h200 --set sms=66 -o -"}) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.code, 2) << command << result.err;
    EXPECT_FALSE(fs::exists("-")) << command;
  }
  fs::current_path(before);
}

TEST(Outputs, APlotIsSvg) {
  const std::string png = scratch_folder() + "/p.png";
  const ProgramResult result = run_program("sweep wpnm -a l1=[1,2] --plot " + png);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("expected a file name that ends in .svg"));
  EXPECT_FALSE(fs::exists(png));
}

TEST(Outputs, AreNeverTheNetThatIsConverted) {
  const std::string folder = scratch_folder(), net = folder + "/a.json";
  write_text(net, kNet);
  ASSERT_EQ(::symlink("a.json", (folder + "/link.json").c_str()), 0);
  ASSERT_EQ(::link(net.c_str(), (folder + "/hard.json").c_str()), 0);
  for (const std::string output :
       {"a.json", "./a.json", "../Outputs_x/a.json", "link.json", "hard.json"}) {
    fs::create_directories(folder + "/../Outputs_x");
    const std::string path =
        output.starts_with("..")
            ? folder + "/../Outputs_x/../" + fs::path(folder).filename().string() + "/a.json"
            : folder + "/" + output;
    expect_refused("convert " + net + " -o " + path, net, "is an input");
  }
  EXPECT_EQ(run_program("convert " + net + " -o " + folder + "/b.json").code, 0);
}

TEST(Outputs, AreNeverShippedOrRecorded) {
  const DataFolder home;
  const std::string net = home.path("models/nets/wpnm.json"),
                    times = home.path("results/h200/times.jsonl"),
                    spec = home.path("experiments/specs/radix.json");
  expect_refused("convert wpnm -o " + net, net, "is a shipped file");
  for (const auto& [file, kind] : {std::pair{times, "recorded"},
                                   {spec, "shipped"},
                                   {home.path("models/devices/h200.json"), "shipped"}}) {
    const std::string says = std::string("is a ") + kind + " file";
    expect_refused("run wpnm --json=" + file, file, says);
    expect_refused("run wpnm --csv=" + file, file, says);
    expect_refused("run wpnm --timeline " + file + ".svg", file, "would be among the");
    expect_refused("exact wpnm --json=" + file, file, says);
    expect_refused("check wpnm --json=" + file, file, says);
    expect_refused("sensitivity wpnm --csv=" + file, file, says);
    expect_refused("sweep wpnm -a l1=[1,2] -o " + file, file, says);
    expect_refused("sweep wpnm -a l1=[1,2] --resume -o " + file, file, says);
  }
}

TEST(Outputs, MergeAndDeriveNeverReplaceShippedFiles) {
  const DataFolder home;
  const std::string net = home.path("models/nets/wpnm.json"),
                    times = home.path("results/h200/times.jsonl"), rows = home.path("rows.jsonl"),
                    data = PNSIM_TEST_DATA;
  ASSERT_EQ(run_program("sweep wpnm -a l1=[1,2] -q -o " + rows).code, 0);
  for (const std::string& file : {net, times})
    expect_refused("merge " + rows + " -o " + file, file, " file: name");
  expect_refused("merge " + rows + " -o " + home.path("./rows.jsonl"), rows, "is an input");
  expect_refused("derive --ncu " + data + "/vectors/ncu_raw.csv -o " + home.path("models"), net,
                 "would be among the shipped files");
}

TEST(Outputs, NoneReplacesAnotherOneOfTheSameCommand) {
  const std::string y = scratch_folder() + "/y";
  for (const std::string command : {"sensitivity wpnm", "run wpnm"}) {
    const ProgramResult result =
        run_program(command + " --json=" + y + " --csv=" + scratch_folder() + "/./y");
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr("two outputs name the same file")) << command;
    EXPECT_FALSE(fs::exists(y)) << command;
  }
}

// The link stays a link, and the file that it names gets the text.
TEST(Outputs, GoThroughALinkToAFileThatDoesNotExistYet) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(::symlink("real.json", (folder + "/link.json").c_str()), 0);
  EXPECT_EQ(run_program("convert wpnm -o " + folder + "/link.json").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "/link.json"));
  EXPECT_THAT(file_text(folder + "/real.json"), HasSubstr("\"places\""));
}

// A hard link in another folder is the same file.
TEST(Outputs, AreNeverLinksToShippedFiles) {
  const DataFolder home;
  const std::string times = home.path("results/h200/times.jsonl");
  const std::string hard = home.path("hard"), soft = home.path("soft");
  ASSERT_EQ(::link(times.c_str(), hard.c_str()), 0);
  ASSERT_EQ(::symlink(times.c_str(), soft.c_str()), 0);
  for (const std::string& output : {hard, soft}) {
    expect_refused("run wpnm --json=" + output, times, "is a recorded file");
  }
  const std::string dangling = home.path("dangling");
  ASSERT_EQ(::symlink("results/h200/new.jsonl", dangling.c_str()), 0);
  expect_refused("run wpnm --json=" + dangling, times, "would be among the recorded results");
  EXPECT_FALSE(fs::exists(home.path("results/h200/new.jsonl")));
}

TEST(Outputs, ThatReplaceNothingAreWritten) {
  const DataFolder home;
  EXPECT_EQ(run_program("run wpnm --json=" + home.path("out.json")).code, 0);
  EXPECT_EQ(run_program("run wpnm --json=" + home.path("out.json")).code, 0);  // over the last one
  EXPECT_EQ(run_program("run wpnm --json=/dev/null").code, 0);
}

}  // namespace
}  // namespace pnsim
