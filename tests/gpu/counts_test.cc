#include "gpu/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gpu/counter_list.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/ncu.h"
#include "simulator/base/process.h"

namespace pnsim::gpu {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CountsJob job_in(const std::string& folder) {
  return {.target = {"./program", "--flag"},
          .report = folder + "/rep.ncu-rep",
          .raw_csv = folder + "/raw.csv",
          .source_csv = "",
          .cold = false,
          .selection = {}};
}

// A fake profiler on PATH: a shell script named ncu.
class FakeNcu : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "fake_ncu_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    old_path_ = std::getenv("PATH");
    setenv("PATH", (folder_ + ":" + old_path_).c_str(), 1);
  }
  void TearDown() override { setenv("PATH", old_path_.c_str(), 1); }

  void install(const std::string& body) {
    const std::string path = folder_ + "/ncu";
    std::ofstream(path) << "#!/bin/sh\n" << body;
    chmod(path.c_str(), 0755);
  }

  // The message of the error 4 with which collect_counts must fail.
  std::string refusal() {
    try {
      collect_counts(job_in(folder_));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUnavailable);
      return error.what();
    }
    return "no error";
  }

  std::string folder_;
  std::string old_path_;
};

TEST(CommandLine, TheProfileAsksForAllCounters) {
  EXPECT_EQ(shell_line(profile_command("/bin/ncu", job_in("/t"))),
            "/bin/ncu --profile-from-start off --clock-control none --cache-control none "
            "--metrics " +
                metric_argument() +
                " --section LaunchStats --section Occupancy -f -o /t/rep.ncu-rep ./program --flag");
}

TEST(CommandLine, ColdRunsFlushTheCaches) {
  CountsJob job = job_in("/t");
  job.cold = true;
  EXPECT_THAT(shell_line(profile_command("ncu", job)), HasSubstr("--cache-control all"));
}

TEST(CommandLine, ChosenLaunchesTakeThePlaceOfTheRange) {
  CountsJob job = job_in("/t");
  job.selection = {"--kernel-id", ":::^(3)$"};
  EXPECT_THAT(shell_line(profile_command("ncu", job)),
              HasSubstr("ncu --kernel-id ':::^(3)$' --clock-control none"));
  EXPECT_THAT(shell_line(profile_command("ncu", job)), Not(HasSubstr("--profile-from-start")));
}

TEST(CommandLine, TheSourcePageNeedsItsSection) {
  CountsJob job = job_in("/t");
  job.source_csv = "/t/source.csv";
  EXPECT_THAT(shell_line(profile_command("ncu", job)), HasSubstr("--section SourceCounters"));
  EXPECT_EQ(shell_line(source_page_command("ncu", job.report)),
            "ncu --import /t/rep.ncu-rep --page source --csv --print-source sass");
}

TEST(CommandLine, TheRawPageIsPrintedAsCsv) {
  EXPECT_EQ(shell_line(raw_page_command("ncu", job_in("/t").report)),
            "ncu --import /t/rep.ncu-rep --page raw --csv --print-units base");
}

TEST_F(FakeNcu, IsFoundOnPathAndWritesTheRawPage) {
  install("case \"$*\" in *--import*) echo \"$@\";; *) echo '==PROF== done';; esac\n");
  EXPECT_EQ(find_ncu(), folder_ + "/ncu");
  EXPECT_THAT(collect_counts(job_in(folder_)), StartsWith(folder_ + "/ncu --profile-from-start"));
  EXPECT_EQ(read_file(folder_ + "/raw.csv"),
            "--import " + folder_ + "/rep.ncu-rep --page raw --csv --print-units base\n");
}

TEST_F(FakeNcu, RefusedCountersNameTheWayOut) {
  install("echo '==ERROR== ERR_NVGPUCTRPERM - no permission' >&2; exit 1\n");
  EXPECT_THAT(refusal(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

// The profiler ncu may exit with 0 although it could not profile.
TEST_F(FakeNcu, RefusedCountersAreSeenBehindExitCodeZero) {
  install("echo '==ERROR== ERR_NVGPUCTRPERM - no permission'; exit 0\n");
  EXPECT_THAT(refusal(), HasSubstr("ERR_NVGPUCTRPERM"));
}

TEST_F(FakeNcu, AKernelThatFailsUnderItIsSaid) {
  install("echo '==ERROR== LaunchFailed'; echo '==WARNING== No kernels were profiled.'; exit 0\n");
  EXPECT_THAT(refusal(), HasSubstr("a kernel failed under the profiler"));
}

TEST_F(FakeNcu, ATargetWithoutKernelsIsSaid) {
  install("echo '==WARNING== No kernels were profiled.'; exit 0\n");
  EXPECT_THAT(refusal(), HasSubstr("cudaProfilerStart"));
}

TEST_F(FakeNcu, AnUnknownFailureShowsItsLastLines) {
  install("echo one; echo 'two is the reason'; exit 9\n");
  EXPECT_THAT(refusal(), HasSubstr("exit code 9"));
  EXPECT_THAT(refusal(), HasSubstr("two is the reason"));
}

}  // namespace
}  // namespace pnsim::gpu
