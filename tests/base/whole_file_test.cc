// A file that is written piece by piece is complete at the end, or it is removed.
#include "simulator/base/whole_file.h"

#include <gtest/gtest.h>

#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::TempFolder;

TEST(WholeFile, AppearsWhenItIsKept) {
  const TempFolder folder;
  folder.write("x", "old");
  {
    WholeFile file(folder.path("x"));
    file.add("new ");
    file.add(std::string(3'000'000, 'n'));
    EXPECT_EQ(folder.read("x"), "old");
    file.keep();
  }
  EXPECT_EQ(folder.read("x").size(), 3'000'004u);
  EXPECT_EQ(folder.files(), 1u);
}

TEST(WholeFile, LeavesNothingWhenItIsNotKept) {
  const TempFolder folder;
  { WholeFile(folder.path("x")).add("new"); }
  EXPECT_EQ(folder.files(), 0u);
}

// Does what the handler of SIGINT does.
TEST(WholeFile, IsTakenAwayWhenTheProcessIsInterrupted) {
  const TempFolder folder;
  WholeFile file(folder.path("x"));
  file.add(std::string(3'000'000, 'n'));
  EXPECT_EQ(folder.files(), 1u);
  remove_partial_file();
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace pnsim
