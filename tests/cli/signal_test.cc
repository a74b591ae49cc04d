// Tests that a signal ends what the program started, and that nothing temporary is left.
#include <gtest/gtest.h>

#include "tests/cli/child.h"
#include "tests/cli/program.h"
#include "tests/cli/running.h"
#include "tests/support/fake_ncu.h"

namespace pnsim {
namespace {

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(SignalDuringDerive, EndsTheProfilerAndLeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string folder = scratch_folder();
    std::filesystem::create_directories(folder + "/tmp");
    // A child of the profiler, as the profiled program is one.
    const test::FakeNcu ncu("sleep 1000 & echo $! > " + folder + "/pids.part; echo $$ >> " +
                            folder + "/pids.part; mv " + folder + "/pids.part " + folder +
                            "/pids; echo page; wait\n");
    const test::Environment temporary("TMPDIR", folder + "/tmp");
    const std::string report = ncu.folder().write("rep.ncu-rep", "");
    Child child({"derive", "--ncu", report, "-o", folder + "/m"}, folder + "/log");
    ASSERT_TRUE(wait_for_bytes(folder + "/pids", 3));
    child.send(signal);
    EXPECT_EQ(child.wait(), 128 + signal) << file_text(folder + "/log");
    for (const std::string& pid : words_of(file_text(folder + "/pids"))) {
      EXPECT_FALSE(is_running(std::stoi(pid))) << "signal " << signal;
    }
    EXPECT_EQ(files_in(folder + "/tmp"), 0u);
    EXPECT_FALSE(std::filesystem::exists(folder + "/m"));
  }
}

TEST(SignalDuringDerive, AProfilerThatIgnoresItIsKilled) {
  const std::string folder = scratch_folder();
  const test::FakeNcu ncu("trap '' TERM INT; echo $$ > " + folder +
                          "/pid; while :; do sleep 1; done\n");
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  Child child({"derive", "--ncu", report, "-o", folder + "/m"}, folder + "/log");
  ASSERT_TRUE(wait_for_bytes(folder + "/pid", 2));
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 128 + SIGINT);
  EXPECT_FALSE(is_running(std::stoi(file_text(folder + "/pid"))));
}

// The rows come from a pipe that stays open, so that the merge waits in the middle of its output.
TEST(SignalDuringMerge, LeavesNoPartialFile) {
  const std::string folder = scratch_folder(), log = folder + ".log";
  const std::string rows = run_program("sweep wpnm --set W=3 -a l1=[1:4] -q").out;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], rows.data(), rows.size()), static_cast<ssize_t>(rows.size()));
  Child child({"merge", "/dev/fd/" + std::to_string(ends[0]), "-o", folder + "/all"}, log);
  for (int i = 0; i < 6000 && files_in(folder) == 0; ++i) ::usleep(10'000);
  EXPECT_EQ(files_in(folder), 1u) << "the partial file: " << file_text(log);
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 128 + SIGINT) << file_text(log);
  EXPECT_EQ(files_in(folder), 0u);
  ::close(ends[0]), ::close(ends[1]);
}

TEST(ReportOfNcu, EndlessPagesAreCutOffUnderTheNameOfTheReport) {
  const std::string folder = scratch_folder();
  const test::FakeNcu ncu("exec yes '\"ID\",\"Kernel Name\",\"a long line of a page\"'\n");
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  const ProgramResult result = run_program("derive --ncu " + report + " -o " + folder + "/m");
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("--import " + report), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("pnsim-page"), std::string::npos) << result.err;
}

TEST(ReportOfNcu, APageThatIsNoneNamesTheReport) {
  const std::string folder = scratch_folder();
  const test::FakeNcu ncu("echo nonsense\n");
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  const ProgramResult result = run_program("derive --ncu " + report + " -o " + folder + "/m");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find(report), std::string::npos) << result.err;
}

}  // namespace
}  // namespace pnsim
