// Reports in ncu's own format, printed by a fake profiler.
#include "simulator/model/derive/report_import.h"

#include <gmock/gmock.h>

#include "simulator/base/ncu.h"
#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/sass/page_text.h"
#include "tests/base/error_of.h"
#include "tests/support/fake_ncu.h"

namespace pnsim {
namespace {

using test::FakeNcu;
using test::input_error_of;
using testing::AllOf;
using testing::HasSubstr;

const std::string kPrintedRaw = PNSIM_TEST_DATA "/vectors/ncu_raw.csv";
const std::string kPrintedSource = PNSIM_TEST_DATA "/vectors/ncu_source.csv";

TEST(NcuReport, IsKnownByItsNameOrItsFirstBytes) {
  const test::TempFolder folder;
  EXPECT_TRUE(is_ncu_report("missing.ncu-rep"));
  EXPECT_TRUE(is_ncu_report(folder.write("renamed", std::string("NVR\0\2", 5))));
  EXPECT_FALSE(is_ncu_report(folder.write("short", "NVR")));
  EXPECT_FALSE(is_ncu_report(kPrintedRaw));
  EXPECT_FALSE(is_ncu_report(folder.path()));
}

TEST(NcuReport, HasThePagesThatTheProfilerPrints) {
  const FakeNcu ncu(FakeNcu::printing(kPrintedRaw, kPrintedSource));
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  EXPECT_EQ(raw_page_of_report(report), read_file(kPrintedRaw));
  EXPECT_EQ(source_page_of_report(report), read_file(kPrintedSource));
  const ProfilePages pages = read_profile_pages({report, ""});
  ASSERT_EQ(pages.launches.size(), 5u);
  EXPECT_FALSE(pages.launches[0].launch.segments.empty()) << "its source page is used too";
  EXPECT_EQ(read_profile_pages({report, kPrintedSource}).launches.size(), 5u);
  EXPECT_EQ(read_profile_pages({kPrintedRaw, report}).launches.size(), 5u);
}

TEST(NcuReport, TheProfilerIsAskedForTheTwoPages) {
  const FakeNcu ncu("echo \"$@\"\n");
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  EXPECT_EQ(raw_page_of_report(report),
            "--import " + report + " --page raw --csv --print-units base\n");
  EXPECT_EQ(source_page_of_report(report),
            "--import " + report + " --page source --csv --print-source sass\n");
}

TEST(NcuReport, WithoutAProfilerTheCommandsAreTold) {
  const FakeNcu none("");
  if (!installed_ncu().empty()) GTEST_SKIP() << "a profiler is installed: " << installed_ncu();
  const std::string report = none.folder().write("my rep.ncu-rep", "");
  EXPECT_THAT(input_error_of([&] {
                read_profile_pages({report, ""});
              }),
              AllOf(HasSubstr("found a report in ncu's own format, expected its pages as CSV"),
                    HasSubstr("  ncu --import '" + report + "' --page raw --csv > raw.csv\n"),
                    HasSubstr("  ncu --import '" + report +
                              "' --page source --csv --print-source sass > source.csv\n")));
}

TEST(NcuReport, AProfilerThatFailsIsQuoted) {
  const FakeNcu ncu("echo '==ERROR== the report is of a newer version' >&2; exit 1\n");
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  EXPECT_THAT(input_error_of([&] { raw_page_of_report(report); }),
              AllOf(HasSubstr("ended with exit code 1: ==ERROR== the report is of a newer version"),
                    HasSubstr("ncu --import " + report + " --page raw --csv > raw.csv")));
}

TEST(NcuReport, AMissingFileIsNamed) {
  const FakeNcu ncu("exit 1\n");
  EXPECT_THAT(input_error_of([] { raw_page_of_report("none.ncu-rep"); }),
              HasSubstr("none.ncu-rep"));
}

}  // namespace
}  // namespace pnsim
