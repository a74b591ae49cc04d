// A standard stream that is closed from the start: its output must not go into another file.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

int run_in_shell(const std::string& arguments, const std::string& redirections) {
  const int status =
      std::system((std::string(PNSIM_PROGRAM) + " " + arguments + " " + redirections).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ClosedStreams, MessagesDoNotLandInTheRows) {
  const std::string folder = scratch_folder(), rows = folder + "/rows.jsonl";
  ASSERT_EQ(run_in_shell("sweep wpnm -a l1=[1:6] -o " + rows, "2>&-"), 0);
  std::istringstream lines(file_text(rows));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(line.starts_with("{\"id\":")) << line;
  EXPECT_EQ(count, 6);
  EXPECT_EQ(run_in_shell("sweep wpnm -a l1=[1:6] --resume -o " + rows, "2>&- >&- <&-"), 0);
}

// Results for a closed stdout are an error: they must not be lost silently.
TEST(ClosedStreams, ResultsForAClosedStdoutAreAnError) {
  const std::string folder = scratch_folder();
  EXPECT_EQ(run_in_shell("run wpnm", ">&- 2>" + folder + "/err"), 74);
  EXPECT_THAT(file_text(folder + "/err"), testing::HasSubstr("stdout: cannot be written"));
}

}  // namespace
}  // namespace pnsim
