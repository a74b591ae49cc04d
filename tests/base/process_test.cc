#include "simulator/base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/leftovers.h"
#include "tests/cli/running.h"

namespace pnsim {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(Process, KeepsOutputAndExitCode) {
  const auto result = run_process({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("out\n"));
  EXPECT_THAT(result.output, HasSubstr("err\n"));
}

TEST(Process, ASignalShowsInTheExitCode) {
  EXPECT_EQ(run_process({"/bin/sh", "-c", "kill -TERM $$"}).exit_code, 128 + 15);
}

TEST(Process, StdoutCanGoToAFile) {
  const std::string path = testing::TempDir() + "process_test.txt";
  const auto result =
      run_process({"/bin/sh", "-c", "echo data; echo note >&2"}, {.stdout_path = path});
  EXPECT_EQ(result.output, "note\n");
  EXPECT_EQ(read_file(path), "data\n");
}

TEST(Process, LongOutputKeepsItsEnd) {
  const auto result = run_process(
      {"/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do echo line $i; i=$((i+1)); done"});
  EXPECT_LE(result.output.size(), 200'000u);
  EXPECT_THAT(result.output, EndsWith("line 59999\n"));
}

TEST(Process, BothStreamsAreReadApart) {
  const ProcessText text =
      read_process({"/bin/sh", "-c", "echo data; echo note >&2; echo more; exit 3"}, 1000);
  EXPECT_EQ(text.out, "data\nmore\n");
  EXPECT_EQ(text.messages, "note\n");
  EXPECT_EQ(text.exit_code, 3);
}

TEST(Process, EndlessOutputIsCutOffAndItsProcessesEnd) {
  const std::string pids = testing::TempDir() + "process_test_pids.txt";
  const std::string script = "sleep 1000 & echo $! >" + pids + "; exec yes";
  try {
    read_process({"/bin/sh", "-c", script}, 1 << 20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kLimit);
    EXPECT_THAT(error.what(), HasSubstr("printed more than 1 MB"));
  }
  EXPECT_FALSE(is_running(std::stoi(read_file(pids)))) << "the child's child";
}

TEST(Process, ThatTakesLongerThanItsLimitIsEndedWithItsGroup) {
  const std::string pids = testing::TempDir() + "process_test_slow.txt";
  for (const std::string end : {"wait", "exec >&- 2>&-; sleep 1000"}) {  // also without its pipes
    const std::string script = "sleep 1000 & echo $! >" + pids + "; echo begun; " + end;
    try {
      run_process({"/bin/sh", "-c", script}, {.limit_s = 0.2});
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kLimit);
      EXPECT_THAT(error.what(), HasSubstr(": ran longer than the limit of 0.200 s and was ended"));
    }
    EXPECT_FALSE(is_running(std::stoi(read_file(pids)))) << "the child's child";
  }
  EXPECT_EQ(run_process({"/bin/sh", "-c", "exit 3"}, {.limit_s = 60}).exit_code, 3);
}

TEST(Process, ChildrenDoNotIgnoreAClosedPipe) {
  signal(SIGPIPE, SIG_IGN);  // as the programs do
  const auto result = run_process({"/bin/sh", "-c", "kill -PIPE $$; echo still here"});
  EXPECT_EQ(result.exit_code, 128 + SIGPIPE);
  EXPECT_EQ(result.output, "");
}

TEST(TemporaryFolder, IsRemovedWithItsContent) {
  std::string path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path + "/file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path + "/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, IsRemovedWhenASignalEndsTheProcess) {
  const std::string note = testing::TempDir() + "temporary_folder_test.txt";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, end_by_signal);
    const TemporaryFolder folder;
    std::ofstream(folder.path() + "/file") << "text";
    std::ofstream(note) << folder.path();
    raise(SIGTERM);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
  EXPECT_FALSE(std::filesystem::exists(read_file(note))) << read_file(note);
}

TEST(Process, AMissingProgramIsUnavailable) {
  try {
    run_process({"/no/such/program"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUnavailable);
    EXPECT_THAT(error.what(), HasSubstr("/no/such/program"));
  }
}

TEST(Process, AnUnwritableFileIsAnOutputError) {
  try {
    run_process({"/bin/sh", "-c", "true"}, {.stdout_path = "/no/such/folder/file"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kOutput);
  }
}

TEST(Process, FindsProgramsOnPath) {
  EXPECT_THAT(find_on_path("sh"), EndsWith("/sh"));
  EXPECT_EQ(find_on_path("no-such-program-at-all"), "");
}

TEST(Process, ShellLinesQuoteWhatNeedsIt) {
  EXPECT_EQ(shell_line({"a", "b c", "d'e", "f=1,2", ""}), R"(a 'b c' 'd'\''e' f=1,2 '')");
}

}  // namespace
}  // namespace pnsim
