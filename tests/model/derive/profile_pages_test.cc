// The pages of a profile as files, read together.
#include "simulator/model/derive/profile_pages.h"

#include <gmock/gmock.h>

#include "tests/base/temp_folder.h"
#include "tests/model/derive/raw_page.h"

namespace pnsim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kRaw = PNSIM_TEST_DATA "/vectors/ncu_raw.csv";
const std::string kSource = PNSIM_TEST_DATA "/vectors/ncu_source.csv";

TEST(ProfilePages, WithASourcePageLaunchesHaveProgramsAndANoteSaysWhatWasCompared) {
  const ProfilePages pages = read_profile_pages(kRaw, kSource);
  ASSERT_EQ(pages.launches.size(), 5u);
  for (const ProfiledLaunch& launch : pages.launches) EXPECT_FALSE(launch.launch.segments.empty());
  EXPECT_THAT(pages.notes, ElementsAre(HasSubstr("sums of 5 launches equal the raw page's")));
  EXPECT_THAT(pages.warnings, IsEmpty());
}

TEST(ProfilePages, WithTheRawPageAloneLaunchesHaveCounts) {
  const ProfilePages pages = read_profile_pages(kRaw, "");
  ASSERT_EQ(pages.launches.size(), 5u);
  EXPECT_THAT(pages.launches[0].launch.segments, IsEmpty());
  EXPECT_THAT(pages.notes, IsEmpty());
}

TEST(ProfilePages, AnUnknownOpcodeIsAWarning) {
  const test::TempFolder folder;
  std::string source = test::source_text();
  for (std::size_t at; (at = source.find(" FADD ")) != std::string::npos;)
    source.replace(at, 6, " QADD ");
  const ProfilePages pages = read_profile_pages(kRaw, folder.write("source.csv", source));
  EXPECT_THAT(pages.warnings, SizeIs(3));  // one a launch of vector_add
  EXPECT_THAT(
      pages.warnings,
      Contains(HasSubstr("source.csv: launch 4 (vector_add): the opcode QADD is not known")));
}

}  // namespace
}  // namespace pnsim
