#include "simulator/base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "simulator/base/json.h"

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
  const auto result = run_process({"/bin/sh", "-c", "echo data; echo note >&2"}, path);
  EXPECT_EQ(result.output, "note\n");
  EXPECT_EQ(read_file(path), "data\n");
}

TEST(Process, LongOutputKeepsItsEnd) {
  const auto result = run_process(
      {"/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do echo line $i; i=$((i+1)); done"});
  EXPECT_LE(result.output.size(), 200'000u);
  EXPECT_THAT(result.output, EndsWith("line 59999\n"));
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
    run_process({"/bin/sh", "-c", "true"}, "/no/such/folder/file");
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
