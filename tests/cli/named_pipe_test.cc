// Named pipes (FIFOs) that no program writes to. Each command runs under `timeout`, whose code is
// 124 for a command that waits.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kPipeModels = PNSIM_TEST_DATA "/../../models";
const std::string kPipeVectors = PNSIM_TEST_DATA "/vectors";

std::string named_pipe(const std::string& path) {
  EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
  return path;
}

// `line` runs in bash, with "PNSIM" for the program.
ProgramResult in_bash(std::string line) {
  const std::string folder = scratch_folder() + ".run";
  fs::create_directories(folder);
  for (std::size_t at = 0; (at = line.find("PNSIM", at)) != std::string::npos;)
    line.replace(at, 5, "timeout 20 " PNSIM_PROGRAM);
  write_text(folder + "/script", line + "\n");
  const int status = std::system(
      ("bash " + folder + "/script >" + folder + "/out 2>" + folder + "/err </dev/null").c_str());
  return {WEXITSTATUS(status), file_text(folder + "/out"), file_text(folder + "/err")};
}

TEST(NamedPipe, IsNoFolderModelOrDevice) {
  const std::string folder = ::testing::TempDir() + "/named_pipe_arguments";
  fs::remove_all(folder);
  fs::create_directories(folder + "/models");
  const std::string pipe = named_pipe(folder + "/pipe"),
                    with_suffix = named_pipe(folder + "/pipe.json");
  fs::copy_file(kPipeModels + "/copy.json", folder + "/models/a.json");
  named_pipe(folder + "/models/b.json");
  for (const std::string& arguments :
       {"--model copy --device " + pipe,
        "--model copy --device " + with_suffix,
        "--model copy --net " + pipe,
        "--model " + pipe,
        "--model " + with_suffix,
        "run " + pipe,
        "check " + pipe,
        "show " + with_suffix,
        "exact " + pipe,
        "convert " + pipe + " -o x.json",
        "sweep copy -a block=64 --device " + pipe,
        "sensitivity " + with_suffix,
        "rank " + pipe,
        "rank " + folder + "/models",
        "compare " + pipe + " --device h200,h100",
        "compare copy --a device=" + pipe,
        "compare " + folder + "/models --device h200,h100",
        "--model " + folder + "/models",
        "merge " + pipe + " -o " + folder + "/x",
        "device scale " + pipe + " --set sms=4 -o " + folder + "/x.json",
        "derive --ncu " + kPipeVectors + "/ncu_raw.csv -o " + pipe}) {
    const ProgramResult result = in_bash("PNSIM " + arguments);
    EXPECT_THAT(result.code, AnyOf(2, 3, 74)) << arguments << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("error: ")) << arguments;
  }
}

TEST(NamedPipe, InTheDataFolderIsNotWaitedFor) {
  const std::string home = ::testing::TempDir() + "/named_pipe_home";
  fs::remove_all(home);
  fs::create_directories(home);
  fs::copy(kPipeModels, home + "/models", fs::copy_options::recursive);
  fs::create_directories(home + "/results/h200");
  named_pipe(home + "/models/devices/b200.json");
  named_pipe(home + "/models/mine.json");
  named_pipe(home + "/results/h200/times.jsonl");
  const std::string with_home = "PNSIM_HOME=" + home + " ";
  for (const std::string arguments :
       {"--model copy", "--model copy --device 'NVIDIA B200'", "models", "doctor", "device list",
        "--model mine", "--model copy --device b200"}) {
    const ProgramResult result = in_bash("export " + with_home + "\nPNSIM " + arguments);
    EXPECT_THAT(result.code, AnyOf(0, 3)) << arguments << "\n" << result.err;
  }
}

// The shell's `<(...)` is a pipe, too, and has a writer.
TEST(NamedPipe, PagesThatAreUnpackedOnTheWayAreRead) {
  const std::string folder = ::testing::TempDir() + "/named_pipe_pages";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string raw = kPipeVectors + "/ncu_raw.csv", source = kPipeVectors + "/ncu_source.csv";
  const std::string into = " -o " + folder + "/models";
  const ProgramResult substituted =
      in_bash("PNSIM derive --ncu <(cat " + raw + ") --source <(cat " + source + ")" + into);
  EXPECT_EQ(substituted.code, 0) << substituted.err;
  const std::string pipe = named_pipe(folder + "/page");
  const ProgramResult named =
      in_bash("cat " + raw + " >" + pipe + " &\nPNSIM derive --ncu " + pipe + into);
  EXPECT_EQ(named.code, 0) << named.err;
  const ProgramResult cold = in_bash("PNSIM derive --ncu <(cat " + raw + ") --source " + source +
                                     " --cold <(cat " + raw + ")" + into);
  EXPECT_EQ(cold.code, 3);
  EXPECT_THAT(cold.err, HasSubstr("is the same page as --ncu"));
}

TEST(NamedPipe, AKernelModelFromStdinOrTheShellIsRead) {
  const std::string file = kPipeModels + "/copy.json";
  const std::string expected = in_bash("PNSIM --model " + file + " --net sm --json").out;
  for (const std::string& command : {"PNSIM --model /dev/stdin --net sm --json <" + file,
                                     "cat " + file + " | PNSIM --model /dev/stdin --net sm --json",
                                     "PNSIM --model <(cat " + file + ") --net sm --json"}) {
    const ProgramResult result = in_bash(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
    EXPECT_EQ(result.out, expected) << command;
  }
  EXPECT_EQ(in_bash("PNSIM check <(cat " + file + ")").code, 0);
}

TEST(NamedPipe, ANetFromTheShellIsReadAndATemplateIsRefused) {
  const ProgramResult net = in_bash("PNSIM run <(cat " + kPipeVectors + "/wpnm_2w.pnml)");
  EXPECT_EQ(net.code, 0) << net.err;
  for (const char* command : {"run", "sweep -a l1=[1,2]"}) {
    const ProgramResult result =
        in_bash("PNSIM " + std::string(command) + " <(cat " + kPipeModels + "/nets/wpnm.json)");
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("found a pipe, expected a file: it is read more than once"));
  }
}

TEST(NamedPipe, ADeviceThatIsChangedOnTheWayIsRead) {
  const ProgramResult result =
      in_bash("PNSIM --model copy --net sm --device <(sed 's/:132,/:66,/' " + kPipeModels +
              "/devices/h200.json)");
  EXPECT_EQ(result.code, 0) << result.err;
}

}  // namespace
}  // namespace pnsim
