// --resume with an output that cannot be read back is refused at once and does not block.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

TEST(ResumePipe, IsAnErrorOfUse) {
  const std::string folder = scratch_folder(), pipe = folder + "/pipe", err = folder + "/err";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string sweep =
      std::string("timeout 10 ") + PNSIM_PROGRAM + " sweep wpnm -a l1=[1,2] --resume -o ";
  for (const std::string& command :
       {sweep + "/dev/stdout 2>" + err + " | cat >/dev/null; exit ${PIPESTATUS[0]}",
        sweep + pipe + " 2>" + err}) {
    const int status = std::system(("bash -c '" + command + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << command;
    EXPECT_THAT(file_text(err), HasSubstr("is not a regular file, and rows cannot be read back"));
  }
}

// Once a pipe was read to its end, it has no reader left for new rows.
TEST(ResumePipe, AnInputThatIsAPipeIsNoOutput) {
  const std::string folder = scratch_folder(), pipe = folder + "/net", err = folder + "/err";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string net = std::string(PNSIM_TEST_DATA) + "/vectors/wpnm_2w.pnml";
  const int status = std::system(("bash -c 'cat " + net + " >" + pipe + " & timeout 10 " +
                                  PNSIM_PROGRAM + " run " + pipe + " --json=" + pipe + " 2>" + err +
                                  "; code=$?; kill %1 2>/dev/null; exit $code'")
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2) << file_text(err);
  EXPECT_THAT(file_text(err), HasSubstr("is an input"));
}

TEST(ResumePipe, ATemplateFromAPipeIsRefused) {
  const std::string folder = scratch_folder(), pipe = folder + "/net.json", err = folder + "/err";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int status = std::system(
      ("timeout 10 " + std::string(PNSIM_PROGRAM) + " run " + pipe + " 2>" + err).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3) << file_text(err);
  EXPECT_THAT(file_text(err), HasSubstr("found a pipe, expected a file"));
}

}  // namespace
}  // namespace pnsim
