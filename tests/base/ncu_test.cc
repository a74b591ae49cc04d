// Finding the profiler, and its commands.
#include "simulator/base/ncu.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

TEST(FindNcu, WithoutAProfilerSaysWhereItLooked) {
  const std::string old_path = std::getenv("PATH");
  setenv("PATH", "/no/such/folder", 1);
  try {
    EXPECT_THAT(find_ncu(), HasSubstr("ncu"));  // in one of the usual folders
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUnavailable);
    EXPECT_THAT(error.what(), HasSubstr("/opt/nvidia/nsight-compute"));
  }
  setenv("PATH", old_path.c_str(), 1);
}

TEST(NcuCommands, AReportWithASpaceInItsNameIsQuoted) {
  EXPECT_EQ(raw_page_line("my rep.ncu-rep"),
            "ncu --import 'my rep.ncu-rep' --page raw --csv > raw.csv");
  EXPECT_EQ(source_page_line(),
            "ncu --import rep.ncu-rep --page source --csv --print-source sass > source.csv");
}

}  // namespace
}  // namespace pnsim
