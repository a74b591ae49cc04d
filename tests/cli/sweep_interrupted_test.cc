// Tests sweeps that are killed, interrupted, out of disk, or share their file with another process.
#include <sys/mount.h>

#include <functional>
#include <random>

#include "tests/cli/child.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

// Rows of about 2 kB, each computed in a fraction of a millisecond.
const std::string kSweep = "sweep wpnm -q -j 2 --set W=8 --set xa=9 -a l1=[1:60] -a l2=[1,2]";

TEST(PnsimInterrupted, KilledAtAHundredRandomMomentsNoRowIsLostDoubledOrBroken) {
  const std::string folder = scratch_folder();
  const std::string whole = run_program(kSweep).out;
  ASSERT_EQ(std::count(whole.begin(), whole.end(), '\n'), 120);
  const std::string file = folder + "/rows.jsonl";
  const auto arguments = words_of(kSweep + " --resume -o " + file);
  std::mt19937 random(20261121);
  int kills = 0, cut_off = 0;
  for (int i = 0; i < 100; ++i) {
    Child child(arguments, folder + "/log");
    // Kills at a position in the next rows instead of a time, so that it works on any machine.
    const auto there = std::filesystem::exists(file) ? std::filesystem::file_size(file) : 0;
    wait_for_bytes(file, std::min<std::uintmax_t>(there + random() % 5000, whole.size()));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
    child.send(SIGKILL);
    kills += child.wait() == -SIGKILL;
    const std::string rows = file_text(file);
    ASSERT_EQ(rows, whole.substr(0, rows.size())) << "a prefix after kill " << i;
    cut_off += !rows.empty() && rows.back() != '\n';
    if (rows.size() == whole.size()) std::filesystem::remove(file);  // start again
  }
  EXPECT_GT(kills, 50) << cut_off << " left a row cut off";
  ASSERT_EQ(run_program(kSweep + " --resume -o " + file).code, 0);
  EXPECT_EQ(file_text(file), whole);
}

TEST(PnsimInterrupted, ASignalKeepsTheFinishedRowsSaysSoAndIsTheExitCode) {
  const std::string sweep = "sweep wpnm -j 2 --set W=8 --set xa=200 -a l1=[1:300] -a l2=[1:20]";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string folder = scratch_folder();
    const std::string file = folder + "/rows.jsonl";
    Child child(words_of(sweep + " -o " + file), folder + "/log");
    ASSERT_TRUE(wait_for_bytes(file, 1));
    child.send(signal);
    EXPECT_EQ(child.wait(), 128 + signal);
    const std::string rows = file_text(file);
    EXPECT_EQ(rows.back(), '\n') << "whole rows only";
    EXPECT_NE(file_text(folder + "/log").find("kept in " + file + ": continue with --resume"),
              std::string::npos)
        << signal;
    EXPECT_LT(std::count(rows.begin(), rows.end(), '\n'), 6000);
  }
}

TEST(PnsimInterrupted, CtrlCDoesNotWaitForAPointThatTakesLong) {
  const std::string folder = scratch_folder();
  Child child(words_of("sweep wpnm --set xa=1000000000 --max-steps 100000000000 -a l1=[1,2] -o " +
                       folder + "/rows"),
              folder + "/log");
  ASSERT_TRUE(wait_for_text(folder + "/log", "2 points")) << "it says its points first";
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 130);
}

TEST(PnsimInterrupted, ASecondProcessOnOneRowsFileIsRefusedWith4) {
  const std::string folder = scratch_folder();
  const std::string file = folder + "/rows.jsonl";
  const std::string sweep =
      "sweep wpnm --set xa=1000000000 --max-steps 100000000000 -a l1=[1,2] -o " + file;
  Child child(words_of(sweep), folder + "/log");
  ASSERT_TRUE(wait_for_text(folder + "/log", "2 points")) << "said once the file is locked";
  for (const std::string more : {"", " --resume"}) {
    const ProgramResult second = run_program(sweep + more);
    EXPECT_EQ(second.code, 4) << second.err;
    EXPECT_NE(second.err.find("another process is writing this file"), std::string::npos);
  }
  const ProgramResult merge = run_program("merge " + file + " -o " + folder + "/all");
  EXPECT_EQ(merge.code, 4) << merge.err;
}

// A limit on the file size makes a write fail in its middle, like a full disk.
TEST(PnsimInterrupted, AFileThatCannotGrowKeepsWholeRowsWith74) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string whole = run_program(kSweep).out;
  const std::string command = "bash -c 'ulimit -f 60; exec " + std::string(PNSIM_PROGRAM) + " " +
                              kSweep + " -o " + file + "' 2>" + file + ".err";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 74) << file_text(file + ".err");
  const std::string rows = file_text(file);
  EXPECT_GT(rows.size(), 40'000u);
  EXPECT_LT(rows.size(), whole.size());
  EXPECT_EQ(rows.back(), '\n') << "the row that did not fit is taken away";
  EXPECT_EQ(rows, whole.substr(0, rows.size()));
  ASSERT_EQ(run_program(kSweep + " --resume -o " + file).code, 0);
  EXPECT_EQ(file_text(file), whole);
}

TEST(PnsimInterrupted, ADiskThatFillsUpKeepsWholeRowsWith74) {
  const std::string folder = scratch_folder();
  if (::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no right to mount a small file system here";
  }
  const std::string file = folder + "/rows.jsonl";
  const ProgramResult result = run_program(kSweep + " -o " + file);
  const std::string rows = file_text(file);
  ::umount(folder.c_str());
  EXPECT_EQ(result.code, 74) << result.err;
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back(), '\n');
  EXPECT_EQ(rows, run_program(kSweep).out.substr(0, rows.size()));
}

// Another program may do both, because the lock is advisory.
TEST(PnsimInterrupted, ARowsFileThatIsRemovedOrTruncatedMeanwhileEndsWith74) {
  const std::string folder = scratch_folder(), file = folder + "/rows.jsonl";
  const std::string sweep = "sweep wpnm -q -j 1 --set W=8 --set xa=200 -a l1=[1:300] -a l2=[1:20]";
  const auto ended = [&](const std::function<void()>& change, const std::string& says) {
    std::filesystem::remove(file);
    Child child(words_of(sweep + " -o " + file), folder + "/log");
    ASSERT_TRUE(wait_for_bytes(file, 10'000));
    change();
    EXPECT_EQ(child.wait(), 74);
    EXPECT_NE(file_text(folder + "/log").find(file + ": another program " + says),
              std::string::npos)
        << file_text(folder + "/log");
  };
  ended([&] { std::filesystem::remove(file); }, "removed this file while rows were written");
  ended([&] { std::filesystem::resize_file(file, 0); }, "changed this file (");
  ended(
      [&] {
        std::ofstream(file + ".new") << "mine";
        std::filesystem::rename(file + ".new", file);
      },
      "replaced this file");
  EXPECT_EQ(file_text(file), "mine");
}

TEST(PnsimInterrupted, AReaderThatGoesAwayIs141AndSilent) {
  const std::string err = scratch_folder() + "/err";
  const std::string command = std::string("bash -c '") + PNSIM_PROGRAM + " " + kSweep + " 2>" +
                              err + " | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}'";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 141);
  EXPECT_EQ(file_text(err), "");
}

}  // namespace
}  // namespace pnsim
