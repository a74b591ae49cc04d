// A system that refuses new threads: the rows are the same with fewer threads.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

// With stacks of 100 GB the system cannot create any thread.
TEST(FewThreads, ASweepWithoutThreadsHasTheSameRows) {
  const std::string folder = scratch_folder(), sweep = "sweep wpnm -a l1=[1:6] --replicas 4 -q -o ";
  ASSERT_EQ(run_program(sweep + folder + "/whole.jsonl").code, 0);
  for (const std::string threads : {"1", "8"}) {
    const std::string rows = folder + "/rows" + threads + ".jsonl";
    const std::string command = "bash -c 'ulimit -s 100000000 && exec " +
                                std::string(PNSIM_PROGRAM) + " " + sweep + rows + " -j " + threads +
                                "' 2>" + folder + "/err";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << file_text(folder + "/err");
    EXPECT_EQ(file_text(rows), file_text(folder + "/whole.jsonl"));
  }
}

// AddressSanitizer reserves terabytes, so that it cannot start below such a limit.
#ifndef __SANITIZE_ADDRESS__
TEST(LittleMemory, SaysHowMuchWasInUseAndWhatToDo) {
  const std::string err = scratch_folder() + "/err";
  const std::string command = "bash -c 'ulimit -v 120000; exec " + std::string(PNSIM_PROGRAM) +
                              " run wpnm --set W=60000 --max-steps 10' >/dev/null 2>" + err;
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 5) << file_text(err);
  EXPECT_THAT(file_text(err), testing::HasSubstr("error: out of memory with "));
  EXPECT_THAT(file_text(err), testing::HasSubstr("ulimit -v"));
}
#endif

}  // namespace
}  // namespace pnsim
