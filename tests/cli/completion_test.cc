// What `pnsim complete` offers after the commands of the program itself.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

std::string offered(const std::string& words) {
  const ProgramResult result = run_program("complete " + words);
  EXPECT_EQ(result.code, 0) << result.err;
  return "\n" + result.out;
}

TEST(PnsimComplete, NestedCommandsAreCommands) {
  EXPECT_THAT(offered("device ''"), testing::HasSubstr("\nscale\t"));
  EXPECT_THAT(offered("device ''"), testing::HasSubstr("\nlist\t"));
  EXPECT_THAT(offered("device scale ''"), testing::HasSubstr("\nh200\n"));
  EXPECT_THAT(offered("device scale h200 --"), testing::HasSubstr("\n--cite\t"));
  EXPECT_THAT(offered("device li"), testing::HasSubstr("\nlist\t"));
}

TEST(PnsimComplete, ComparisonsOfferModelsAndDevices) {
  EXPECT_THAT(offered("compare copy ''"), testing::HasSubstr("\ngather\n"));
  EXPECT_THAT(offered("rank ''"), testing::HasSubstr("\ngather\n"));
  EXPECT_THAT(offered("compare copy --device h1"), testing::HasSubstr("\nh100\n"));
  EXPECT_THAT(offered("rank copy --ax"), testing::HasSubstr("\n--axis\t"));
}

}  // namespace
}  // namespace pnsim
